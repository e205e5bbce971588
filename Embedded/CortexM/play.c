// Plays the messages of a file with the definitions in flash, and writes what a gateway would publish into another file.

#include "board.h"
#include "flash.h"
#include "../Runtime/skerry.h"

// The longest topic or payload.
#define TEXT_LIMIT 65536u

// The beginning of a message and of a publication; topic and payload follow. The flags are those of skerry_read, or 8 where the state
// was kept, and 16 where it was found, with the number of the record in `at`.
struct Head {
    int64_t at;
    uint32_t topic_count, payload_count, flags, handled;
};

static int output;

// What a run is to do.
static struct {
    // Until when time passes after the last message, while an activity is pending.
    int64_t until;
    // Whether state is kept in flash.
    uint32_t keeps;
    // The power is cut with this word that is written there, counted from 1; 0 for never.
    uint32_t cut_at;
} plan;
static uint8_t topic[1024], payload[TEXT_LIMIT];
static uint64_t message_ticks, deadlines, deadline_ticks;

static void write_publications(void) {
    struct Head head = {0};
    const uint8_t *topic, *payload;
    size_t topic_count, payload_count;
    while (skerry_read(&head.at, &topic, &topic_count, &payload, &payload_count, &head.flags)) {
        head.topic_count = topic_count, head.payload_count = payload_count;
        board_write(output, &head, sizeof head);
        board_write(output, topic, topic_count);
        if (payload_count > 0) board_write(output, payload, payload_count);
    }
}

// The words and pages written so far.
static uint32_t programmed;

uint32_t flash_words[FLASH_PAGES][FLASH_PAGE / 4];

static void leave_flash(void) {
    int file = board_open("flash", true);
    board_write(file, flash_words, sizeof flash_words);
    board_close(file);
}

// Some of the bits are still as they were: power is cut in the middle.
static _Noreturn void cut_power(void) {
    leave_flash();
    board_close(output);
    board_exit(0);
}

void flash_erase(uint32_t page) {
    bool is_cut = ++programmed == plan.cut_at;
    memset(flash_words[page], 0xFF, is_cut ? FLASH_PAGE / 2 : FLASH_PAGE);
    if (is_cut) cut_power();
}

void flash_program(uint32_t page, uint32_t place, uint32_t word) {
    bool is_cut = ++programmed == plan.cut_at;
    flash_words[page][place] &= is_cut ? word | 0x00FF0FF0u : word;
    if (is_cut) cut_power();
    if (flash_words[page][place] != word) {
        board_print("a word is written that was not erased\n");
        board_exit(70);
    }
}

// Keeps what has changed, and tells it among the publications, with the number of messages that are handled.
static void keep(uint32_t handled) {
    const uint8_t *bytes;
    size_t count;
    if (!skerry_keep(true, &bytes, &count)) return;
    if (!flash_append(bytes, count)) board_exit(70);
    struct Head head = {.flags = 8, .handled = handled};
    board_write(output, &head, sizeof head);
}

static void advance(int64_t at, uint32_t handled) {
    uint64_t begun = board_ticks();
    skerry_advance(at);
    deadline_ticks += board_ticks() - begun;
    deadlines++;
    if (plan.keeps) keep(handled);
    write_publications();
}

// Finds what was kept in flash.
static bool resume(void) {
    if (!plan.keeps) return false;
    int file = board_open("flash", false);
    board_read(file, flash_words, sizeof flash_words);
    board_close(file);
    FlashRecord record = flash_find();
    // The power was away for no time: a board asks its clock here.
    if (record.number == 0 || !skerry_resume(record.bytes, record.count, 0)) return false;
    struct Head head = {.at = record.number, .flags = 16};
    board_write(output, &head, sizeof head);
    write_publications();
    return true;
}

int board_main(void) {
    int file = board_open("plan", false);
    board_read(file, &plan, sizeof plan);
    board_close(file);
    uint64_t refused = board_add_definitions();
    int input = board_open("messages", false);
    output = board_open("publications", true);
    size_t left = board_length(input);
    uint32_t handled = 0;
    bool has_begun = resume();
    while (left > 0) {
        struct Head head;
        board_read(input, &head, sizeof head);
        if (head.topic_count > sizeof topic || head.payload_count > sizeof payload) return 65;
        board_read(input, topic, head.topic_count);
        board_read(input, payload, head.payload_count);
        left -= sizeof head + head.topic_count + head.payload_count;
        if (!has_begun) skerry_begin(head.at / 1000000);
        has_begun = true;
        while (skerry_next_deadline() <= head.at) advance(skerry_next_deadline(), handled);
        handled++;
        uint64_t begun = board_ticks();
        skerry_message(topic, head.topic_count, payload, head.payload_count, head.flags & 4, head.at);
        message_ticks += board_ticks() - begun;
        if (plan.keeps) keep(handled);
        write_publications();
    }
    while (skerry_is_pending() && skerry_next_deadline() <= plan.until) advance(skerry_next_deadline(), handled);
    if (plan.keeps) leave_flash();
    board_close(output);
    board_print_number("refused definitions", refused);
    board_print_number("messages", handled);
    board_print_number("message ticks", message_ticks);
    board_print_number("deadlines", deadlines);
    board_print_number("deadline ticks", deadline_ticks);
    board_print_number("words", programmed);
    board_print_number("heap", skerry_heap_peak());
    board_print_number("stack", board_stack_peak());
    return 0;
}
