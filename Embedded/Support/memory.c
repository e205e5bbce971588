// The functions of string.h that the compiler calls on its own.

#include "support.h"

void *memcpy(void *restrict to, const void *restrict from, size_t count) { return memmove(to, from, count); }

void *memmove(void *to, const void *from, size_t count) {
    uint8_t *target = to;
    const uint8_t *source = from;
    if (target <= source) {
        // Words where both are aligned, as most copies are.
        while (count >= 4 && (((uintptr_t)target | (uintptr_t)source) & 3) == 0) {
            *(uint32_t *)(void *)target = *(const uint32_t *)(const void *)source;
            target += 4, source += 4, count -= 4;
        }
        while (count-- > 0) *target++ = *source++;
    } else {
        while (count-- > 0) target[count] = source[count];
    }
    return to;
}

void *memset(void *to, int byte, size_t count) {
    uint8_t *target = to;
    while (count-- > 0) *target++ = (uint8_t)byte;
    return to;
}

int memcmp(const void *left, const void *right, size_t count) {
    const uint8_t *one = left, *other = right;
    for (size_t place = 0; place < count; place++) {
        if (one[place] != other[place]) return one[place] - other[place];
    }
    return 0;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count] != 0) count++;
    return count;
}

// Swift asks for random bytes to seed its hashes. Nothing here depends on the order of a hash, and equal runs are worth more.
void arc4random_buf(void *to, size_t count) { memset(to, 0x5A, count); }
