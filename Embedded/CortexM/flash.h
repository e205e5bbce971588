// A log in flash, whose last complete record survives a cut of the power at any moment.
//
// Records fill one page after the other, so that all pages are erased equally often. A record is a head of four words, its number,
// the count of its bytes, a checksum and the letters SKRY, and then its bytes. The page with the newest record is never erased.

#ifndef SKERRY_FLASH_H
#define SKERRY_FLASH_H

#include "../Support/support.h"

#define FLASH_PAGE 16384u
#define FLASH_PAGES 4u

// The newest record; its number is 0 if there is none.
typedef struct {
    uint32_t number;
    size_t count;
    const uint8_t *bytes;
} FlashRecord;

// Finds the newest complete record.
FlashRecord flash_find(void);

// Writes the next record, after flash_find. False if it is larger than a page.
bool flash_append(const uint8_t *bytes, size_t count);

// The flash itself, which the board has: reading is by address, and writing clears bits of a word.
extern uint32_t flash_words[FLASH_PAGES][FLASH_PAGE / 4];
void flash_erase(uint32_t page);
void flash_program(uint32_t page, uint32_t place, uint32_t word);

#endif
