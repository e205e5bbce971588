// The memory of a WebAssembly module: what is behind its data, and more pages when that is used up.

#include "../Support/support.h"

#define PAGE 65536u

extern uint8_t __heap_base;
static uintptr_t top;

uint8_t *skerry_more_memory(size_t size, size_t *given) {
    uintptr_t end = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
    if (top == 0) top = (uintptr_t)&__heap_base;
    if (end - top < size) {
        size_t pages = (size - (end - top) + PAGE - 1) / PAGE;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return NULL;
        end += pages * PAGE;
    }
    uint8_t *start = (uint8_t *)top;
    *given = end - top;
    top = end;
    return start;
}
