// The serial line of the board: what comes is kept by an interrupt, so that nothing is lost while a message is handled.

#ifndef SKERRY_SERIAL_H
#define SKERRY_SERIAL_H

#include "../Support/support.h"

// Opens the line.
void serial_open(void);

// True once the byte SYN came, which belongs to no line.
bool serial_is_synchronized(void);

// The oldest byte that was not taken yet; false if there is none.
bool serial_take(uint8_t *byte);

// Sends bytes, and returns when the last one is on its way.
void serial_send(const void *bytes, size_t count);

#endif
