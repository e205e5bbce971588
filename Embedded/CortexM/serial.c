// The first UART of mps2-an386, Arm's CMSDK APB UART: https://developer.arm.com/documentation/ddi0479/

#include "serial.h"
#include "board.h"

#define ROOM 8192u
#define SYN 0x16u

static volatile struct {
    uint32_t data, state, control, interrupts, divider;
} *const uart = (void *)0x40004000;
static volatile uint32_t *const enabled_interrupts = (volatile uint32_t *)0xE000E100;

enum { SEND_IS_FULL = 1, RECEIVED = 2 };
enum { SENDS = 1, RECEIVES = 2, INTERRUPTS_WHEN_RECEIVED = 8 };

static uint8_t bytes[ROOM];
// How many bytes came and how many were taken: one is written by the interrupt only, the other one by the program only.
static volatile uint32_t came, taken;
static volatile bool is_synchronized;

void serial_open(void) {
    uart->divider = BOARD_HERTZ / 115200;
    uart->control = SENDS | RECEIVES | INTERRUPTS_WHEN_RECEIVED;
    *enabled_interrupts = 1;
}

void serial_received(void) {
    uart->interrupts = RECEIVED;
    while (uart->state & RECEIVED) {
        uint8_t byte = (uint8_t)uart->data;
        if (byte == SYN) {
            is_synchronized = true;
        } else if (came - taken < ROOM) {
            bytes[came % ROOM] = byte;
            came++;
        } else {
            board_print("more came over the serial line than there is room for\n");
            board_exit(74);
        }
    }
}

bool serial_is_synchronized(void) { return is_synchronized; }

bool serial_take(uint8_t *byte) {
    if (taken == came) return false;
    *byte = bytes[taken % ROOM];
    taken++;
    return true;
}

void serial_send(const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    for (; count > 0; count--) {
        while (uart->state & SEND_IS_FULL) {}
        uart->data = *next++;
    }
}
