#include "flash.h"

#define ERASED 0xFFFFFFFFu
#define MARK 0x59524B53u
#define HEAD 4u
#define PAGE_WORDS (FLASH_PAGE / 4)

static uint32_t page, place, number;

// FNV-1a of 32 bits, over words.
static uint32_t checksum(uint32_t number, uint32_t count, const uint32_t *words) {
    uint32_t hash = 0x811C9DC5u;
    hash = (hash ^ number) * 0x01000193u;
    hash = (hash ^ count) * 0x01000193u;
    for (uint32_t word = 0; word < (count + 3) / 4; word++) hash = (hash ^ words[word]) * 0x01000193u;
    return hash;
}

// The words of the record at a place of a page, with its head; 0 if there is no complete one.
static uint32_t length_at(const uint32_t *words, uint32_t place) {
    if (place + HEAD > PAGE_WORDS) return 0;
    const uint32_t *head = words + place;
    uint32_t body = (head[1] + 3) / 4;
    if (head[3] != MARK || head[1] > FLASH_PAGE || place + HEAD + body > PAGE_WORDS) return 0;
    return head[2] == checksum(head[0], head[1], head + HEAD) ? HEAD + body : 0;
}

FlashRecord flash_find(void) {
    FlashRecord newest = {0};
    number = page = place = 0;
    for (uint32_t one = 0; one < FLASH_PAGES; one++) {
        const uint32_t *words = flash_words[one];
        for (uint32_t at = 0, length; (length = length_at(words, at)) > 0; at += length) {
            if (words[at] <= newest.number) continue;
            newest = (FlashRecord){words[at], words[at + 1], (const uint8_t *)(words + at + HEAD)};
            number = words[at], page = one, place = at + length;
        }
    }
    // What follows the newest record was torn, unless it is erased: then the next record begins a page.
    for (uint32_t rest = place; rest < PAGE_WORDS; rest++) {
        if (flash_words[page][rest] != ERASED) place = PAGE_WORDS;
    }
    if (newest.number == 0) place = PAGE_WORDS;
    return newest;
}

bool flash_append(const uint8_t *bytes, size_t count) {
    uint32_t body = (uint32_t)(count + 3) / 4, last = 0;
    if (HEAD + body > PAGE_WORDS) return false;
    if (place + HEAD + body > PAGE_WORDS) {
        page = (page + 1) % FLASH_PAGES;
        place = 0;
        flash_erase(page);
    }
    uint32_t *head = &flash_words[page][place];
    for (uint32_t word = 0; word < body; word++) {
        last = ERASED;
        memcpy(&last, bytes + word * 4, count - word * 4 < 4 ? count - word * 4 : 4);
        flash_program(page, place + HEAD + word, last);
    }
    flash_program(page, place, ++number);
    flash_program(page, place + 1, (uint32_t)count);
    flash_program(page, place + 2, checksum(number, (uint32_t)count, head + HEAD));
    flash_program(page, place + 3, MARK);
    place += HEAD + body;
    return true;
}
