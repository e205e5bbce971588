// Files and texts of the machine that runs QEMU, by Arm's semihosting: https://github.com/ARM-software/abi-aa/tree/main/semihosting

#include "board.h"

enum { OPEN = 0x01, CLOSE = 0x02, WRITE_TEXT = 0x04, WRITE = 0x05, READ = 0x06, LENGTH = 0x0C, EXIT = 0x20 };

static int32_t call(uint32_t operation, const void *arguments) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return (int32_t)r0;
}

void board_print(const char *text) { call(WRITE_TEXT, text); }

const char *board_digits(char digits[BOARD_DIGITS], uint64_t number) {
    char *place = digits + BOARD_DIGITS;
    *--place = 0;
    do *--place = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return place;
}

void board_print_number(const char *name, uint64_t number) {
    char digits[BOARD_DIGITS];
    board_print(name);
    board_print(" ");
    board_print(board_digits(digits, number));
    board_print("\n");
}

_Noreturn void board_exit(int status) {
    const uint32_t arguments[] = {0x20026, (uint32_t)status};  // the application ended by itself
    for (;;) call(EXIT, arguments);
}

static _Noreturn void give_up(const char *what) {
    board_print(what);
    board_exit(74);
}

int board_open(const char *path, bool to_write) {
    const uint32_t arguments[] = {(uint32_t)path, to_write ? 5 : 1, strlen(path)};
    int file = call(OPEN, arguments);
    if (file < 0) give_up("a file can't be opened\n");
    return file;
}

size_t board_length(int file) {
    const uint32_t arguments[] = {(uint32_t)file};
    return (size_t)call(LENGTH, arguments);
}

void board_read(int file, void *to, size_t count) {
    const uint32_t arguments[] = {(uint32_t)file, (uint32_t)to, count};
    if (call(READ, arguments) != 0) give_up("a file can't be read\n");
}

void board_write(int file, const void *from, size_t count) {
    const uint32_t arguments[] = {(uint32_t)file, (uint32_t)from, count};
    if (call(WRITE, arguments) != 0) give_up("a file can't be written\n");
}

void board_close(int file) {
    const uint32_t arguments[] = {(uint32_t)file};
    call(CLOSE, arguments);
}
