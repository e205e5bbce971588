#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own entry point, for programs that bring their own `main`.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one_input)(const uint8_t *data, size_t size));
