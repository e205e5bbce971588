// What Embedded Swift asks of a platform, and what the platforms of this folder ask of each other.

#ifndef SKERRY_SUPPORT_H
#define SKERRY_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../Runtime/skerry.h"

// The alignment of memory: 16 bytes, which is the most that Swift asks for.
#define GRANULE 16u

void *malloc(size_t count);
void free(void *memory);
int posix_memalign(void **memory, size_t alignment, size_t count);

// The bytes of the heap in use, and the most so far, with what the heap itself needs.
size_t skerry_heap_used(void);
size_t skerry_heap_peak(void);

void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);
int memcmp(const void *left, const void *right, size_t count);
size_t strlen(const char *text);

#endif
