// What the program of a board asks of it.

#ifndef SKERRY_BOARD_H
#define SKERRY_BOARD_H

#include "../Support/support.h"

// The clock of the processor.
#define BOARD_HERTZ 25000000u

// The program; what it returns ends the board.
int board_main(void);

// The cycles of the clock since the start.
uint64_t board_ticks(void);

// Ends QEMU with an exit status.
_Noreturn void board_exit(int status);

// Prints a text where QEMU was started.
void board_print(const char *text);

// A file of the machine that runs QEMU. A file that can't be opened, read or written ends the board.
int board_open(const char *path, bool to_write);
size_t board_length(int file);
void board_read(int file, void *to, size_t count);
void board_write(int file, const void *from, size_t count);
void board_close(int file);

#endif
