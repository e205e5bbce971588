// Memory for Embedded Swift where there is no libc: one list of blocks, next fit, neighbours joined while looking.
//
// Each block begins with one word: its size in bytes, the lowest bit set while it is used. What Swift gets behind it is
// aligned to GRANULE.

#include "support.h"

#define USED 1u
#define HEADER 4u

static uint8_t *start, *end, *rover;
static size_t used, peak;

static uint32_t *word(uint8_t *block) { return (uint32_t *)(void *)block; }
static uint32_t size_of(uint8_t *block) { return *word(block) & ~USED; }
static bool is_used(uint8_t *block) { return *word(block) & USED; }

// Joins a free block with the free ones behind it.
static void join(uint8_t *block) {
    uint8_t *next = block + size_of(block);
    while (next < end && !is_used(next)) {
        if (rover == next) rover = block;
        next += size_of(next);
    }
    *word(block) = (uint32_t)(next - block);
}

// The first free block of this size between two places; none is NULL.
static uint8_t *find(uint8_t *from, uint8_t *to, size_t size) {
    for (uint8_t *block = from; block < to; block += size_of(block)) {
        if (is_used(block)) continue;
        join(block);
        if (size_of(block) >= size) return block;
    }
    return NULL;
}

// One more free block of at least this size at the end; NULL when the platform has no more memory.
static uint8_t *extend(size_t size) {
    size_t given = 0;
    uint8_t *more = skerry_more_memory(size + 2 * GRANULE, &given);
    if (more == NULL) return NULL;
    if (end == NULL) {
        uintptr_t first = ((uintptr_t)more + HEADER + GRANULE - 1) / GRANULE * GRANULE - HEADER;
        start = rover = end = (uint8_t *)first;
    }
    uint8_t *block = end;
    uint32_t room = (uint32_t)(more + given - end) / GRANULE * GRANULE;
    *word(block) = room;
    end = block + room;
    return room >= size ? block : NULL;
}

void *malloc(size_t count) {
    if (count > UINT32_MAX / 4) return NULL;
    size_t size = (count + HEADER + GRANULE - 1) / GRANULE * GRANULE;
    uint8_t *block = find(rover, end, size);
    if (block == NULL) block = find(start, rover, size);
    if (block == NULL) block = extend(size);
    if (block == NULL) return NULL;
    size_t rest = size_of(block) - size;
    if (rest >= GRANULE) *word(block + size) = (uint32_t)rest;
    *word(block) = (uint32_t)(rest >= GRANULE ? size : size + rest) | USED;
    rover = block;
    used += size_of(block);
    if (used > peak) peak = used;
    return block + HEADER;
}

void free(void *memory) {
    if (memory == NULL) return;
    uint8_t *block = (uint8_t *)memory - HEADER;
    used -= size_of(block);
    *word(block) &= ~USED;
}

int posix_memalign(void **memory, size_t alignment, size_t count) {
    if (alignment > GRANULE) return 12;
    *memory = malloc(count);
    return *memory == NULL ? 12 : 0;
}

size_t skerry_heap_used(void) { return used; }

size_t skerry_heap_peak(void) { return peak; }
