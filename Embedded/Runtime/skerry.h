// The engine of Skerry for one thread: compiled definitions and messages in, publications out.
//
// Times are microseconds since the Unix epoch. What is passed in is copied.

#ifndef SKERRY_H
#define SKERRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Adds a compiled definition. 0, or the reason why it can't be read: 1 other bytes, 2 too large, 3 compiled by an older Skerry,
// 4 by a newer one, 5 damaged.
int32_t skerry_add(const uint8_t *bytes, size_t count);

// Begins with the definitions that were added, and without devices. `epoch` is a number that no earlier engine with the same
// devices had, such as the start in Unix seconds.
void skerry_begin(int64_t epoch);

// What a restart needs, with the images of devices as the gateway stores them; false if nothing has changed since the last call.
// With `all`, numbers that changed nothing else count, too. Keep it before you send the publications of a change, so that no
// reader knows more than the next run. The bytes stay until the next call of any function.
bool skerry_keep(bool all, const uint8_t **bytes, size_t *count);

// Begins where an earlier run was kept, with the definitions that were added, which may have changed. What became due without power
// is handled at its own time, and the snapshots of all devices are published again. A time before that of the bytes counts as theirs.
// False if these are not such bytes: begin without devices then.
bool skerry_resume(const uint8_t *bytes, size_t count, int64_t at);

// Handles a message, after all that was due before it.
void skerry_message(const uint8_t *topic, size_t topic_count, const uint8_t *payload, size_t payload_count, bool is_retained,
                    int64_t at);

// The next moment at which time alone changes something; INT64_MAX when there is none.
int64_t skerry_next_deadline(void);

// Lets time pass; what is due is handled.
void skerry_advance(int64_t at);

// True while an activity is followed, or waits to be dismissed.
bool skerry_is_pending(void);

// The oldest publication that was not read yet; false when there is none. The bytes stay until the next call of any function.
// The flags are the quality of service, and 4 for a message that the broker retains.
bool skerry_read(int64_t *at, const uint8_t **topic, size_t *topic_count, const uint8_t **payload, size_t *payload_count,
                 uint32_t *flags);

// The one function that the library for a microcontroller asks of firmware: at least `size` more bytes of memory for the heap, right
// behind those given before, and their number in `given`; NULL when there are none. Firmware that has malloc, free and posix_memalign
// of its own, linked before the library, needs no such function.
uint8_t *skerry_more_memory(size_t size, size_t *given);

// How machines moved in the last skerry_message or skerry_advance, one after the other; false when there is no further move. The text
// is kind, device, and the innermost states before and after, with a zero byte between them; before is empty at the start. The bytes
// stay until the next call of any function.
bool skerry_read_move(int64_t *at, const uint8_t **text, size_t *count);

#endif
