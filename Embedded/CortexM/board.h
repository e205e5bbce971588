// What the program of a board asks of it.

#ifndef SKERRY_BOARD_H
#define SKERRY_BOARD_H

#include "../Support/support.h"

// The clock of the processor.
#define BOARD_HERTZ 25000000u

// The program; what it returns ends the board.
int board_main(void);

// A byte has come over the serial line; a program that opens no line has no such function.
void serial_received(void);

// The cycles of the clock since it was started.
uint64_t board_ticks(void);

// Starts the clock again.
void board_start_clock(void);

// The milliseconds that the clock has counted since it was started.
uint64_t board_milliseconds(void);

// The most bytes of the stack in use so far, with those of interrupts.
size_t board_stack_peak(void);

// Adds the definitions that lie in flash, and returns how many are refused.
uint32_t board_add_definitions(void);

// Ends QEMU with an exit status.
_Noreturn void board_exit(int status);

// Prints a text where QEMU was started.
void board_print(const char *text);

// Writes a number, and a zero byte, at the end of digits; returns where it begins.
#define BOARD_DIGITS 24
const char *board_digits(char digits[BOARD_DIGITS], uint64_t number);

// Prints a line: a name and a number.
void board_print_number(const char *name, uint64_t number);

// A file of the machine that runs QEMU. A file that can't be opened, read or written ends the board.
int board_open(const char *path, bool to_write);
size_t board_length(int file);
void board_read(int file, void *to, size_t count);
void board_write(int file, const void *from, size_t count);
void board_close(int file);

#endif
