// The compiled definitions that lie in flash beside the program.

#include "board.h"

extern const uint32_t skerry_given[];

// Their number, and each with its length, at multiples of four bytes.
uint32_t board_add_definitions(void) {
    const uint32_t *next = skerry_given;
    uint32_t refused = 0;
    for (uint32_t left = *next++; left > 0; left--) {
        uint32_t count = *next++;
        if (skerry_add((const uint8_t *)next, count) != 0) refused++;
        next += (count + 3) / 4;
    }
    return refused;
}
