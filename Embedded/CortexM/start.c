// The start of a Cortex-M without an operating system: the table of vectors, the first steps, the heap, the stack, and the clock.

#include "board.h"

extern uint32_t skerry_data_source[], skerry_data[], skerry_data_end[], skerry_bss[], skerry_bss_end[];
extern uint8_t skerry_heap[], skerry_heap_end[], skerry_stack_top[];

static volatile uint32_t *const systick = (volatile uint32_t *)0xE000E010;  // control, reload, current
static volatile uint32_t *const processor_access = (volatile uint32_t *)0xE000ED88;
static volatile uint64_t milliseconds;

// What the stack is filled with, to see later how much of it was used.
#define UNUSED 0xA5A5A5A5u

static void count_millisecond(void) { milliseconds++; }

// An error of the processor, or a trap of Swift: memory may not be trusted any more.
static void fail(void) {
    board_print("the processor found an error\n");
    board_exit(70);
}

void skerry_reset(void) {
    for (uint32_t *to = skerry_data, *from = skerry_data_source; to < skerry_data_end;) *to++ = *from++;
    for (uint32_t *to = skerry_bss; to < skerry_bss_end;) *to++ = 0;
    *processor_access |= 0xF << 20;  // the unit for numbers of 32 bits, whose registers Swift uses
    for (uint32_t *to = (uint32_t *)skerry_heap_end; to < (uint32_t *)__builtin_frame_address(0);) *to++ = UNUSED;
    board_start_clock();
    board_exit(board_main());
}

typedef void (*Handler)(void);

__attribute__((section(".vectors"), used)) static const Handler vectors[17] = {
    (Handler)skerry_stack_top, skerry_reset, fail, fail, fail, fail, fail, 0, 0, 0, 0, fail, fail, 0, fail, count_millisecond,
    serial_received,
};

__attribute__((weak)) void serial_received(void) { fail(); }

void board_start_clock(void) {
    systick[0] = 0;
    systick[1] = BOARD_HERTZ / 1000 - 1;
    systick[2] = 0;
    milliseconds = 0;
    systick[0] = 7;  // on, with an interrupt, by the clock of the processor
}

uint64_t board_milliseconds(void) {
    uint64_t read;
    do read = milliseconds;
    while (read != milliseconds);
    return read;
}

size_t board_stack_peak(void) {
    const uint32_t *lowest = (const uint32_t *)skerry_heap_end;
    while (*lowest == UNUSED) lowest++;
    return (size_t)(skerry_stack_top - (const uint8_t *)lowest);
}

uint64_t board_ticks(void) {
    uint64_t before;
    uint32_t left;
    do {
        before = milliseconds;
        left = systick[2];
    } while (before != milliseconds);
    return before * (BOARD_HERTZ / 1000) + (BOARD_HERTZ / 1000 - 1 - left);
}

// All memory between the variables and the stack is given at once.
uint8_t *skerry_more_memory(size_t size, size_t *given) {
    static bool is_given;
    size_t room = (size_t)(skerry_heap_end - skerry_heap);
    if (is_given || room < size) return NULL;
    is_given = true;
    *given = room;
    return skerry_heap;
}
