// Follows devices by the clock of the processor: messages come over the serial line, and what a gateway would publish leaves over it.
//
// A message is a line: its time in microseconds, its topic, its payload. It waits until the clock has come to its time, and a late one
// happens when it is read. The byte SYN starts the clock, at the time of the first line; a time alone ends the program then.
// A publication is a line, too: what the clock shows when it leaves, its own time, its flags, its topic, its payload.

#include "board.h"
#include "serial.h"

#define LINE_LIMIT 4096u

static uint8_t line[LINE_LIMIT];
static size_t length;
// The time at which the clock was started.
static int64_t start;
// How long after its moment a deadline was handled, at most.
static int64_t latest;

static int64_t now(void) { return start + (int64_t)board_milliseconds() * 1000; }

// Waits for an interrupt; SysTick's comes each millisecond.
static void sleep(void) { __asm__ volatile("wfi" ::: "memory"); }

// Reads on in the line that comes; true when it is complete.
static bool read_line(void) {
    uint8_t byte;
    while (serial_take(&byte)) {
        if (byte == '\n') return true;
        if (length == LINE_LIMIT) board_exit(65);
        line[length++] = byte;
    }
    return false;
}

// The place behind the word of the line that begins at a place.
static size_t word_end(size_t place) {
    while (place < length && line[place] != ' ') place++;
    return place;
}

static int64_t time_of_line(void) {
    int64_t time = 0;
    for (size_t place = 0; place < word_end(0); place++) {
        if (line[place] < '0' || line[place] > '9') board_exit(65);
        time = time * 10 + (line[place] - '0');
    }
    return time;
}

static void send_number(int64_t number) {
    char digits[BOARD_DIGITS];
    const char *text = board_digits(digits, (uint64_t)number);
    serial_send(text, strlen(text));
    serial_send(" ", 1);
}

static void send_publications(void) {
    int64_t at;
    const uint8_t *topic, *payload;
    size_t topic_count, payload_count;
    uint32_t flags;
    while (skerry_read(&at, &topic, &topic_count, &payload, &payload_count, &flags)) {
        send_number(now());
        send_number(at);
        send_number(flags);
        serial_send(topic, topic_count);
        serial_send(" ", 1);
        serial_send(payload, payload_count);
        serial_send("\n", 1);
    }
}

static void pass_on(int64_t at) {
    size_t topic = word_end(0) + 1, topic_end = word_end(topic);
    size_t payload = topic_end < length ? topic_end + 1 : length;
    skerry_message(line + topic, topic_end - topic, line + payload, length - payload, false, at);
    send_publications();
}

static void advance(int64_t at) {
    int64_t late = at - skerry_next_deadline();
    if (late > latest) latest = late;
    skerry_advance(at);
    send_publications();
}

int board_main(void) {
    board_print_number("refused definitions", board_add_definitions());
    size_t definitions = skerry_heap_used();
    serial_open();
    while (!serial_is_synchronized()) sleep();
    bool is_complete = read_line();
    start = time_of_line();
    board_start_clock();
    skerry_begin(start / 1000000);
    for (;;) {
        int64_t at = now();
        if (!is_complete) is_complete = read_line();
        if (skerry_next_deadline() <= at) {
            advance(at);
        } else if (!is_complete || time_of_line() > at) {
            sleep();
        } else if (word_end(0) == length) {
            break;
        } else {
            pass_on(at);
            length = 0;
            is_complete = false;
        }
    }
    board_print_number("latest", (uint64_t)latest);
    board_print_number("definitions", definitions);
    board_print_number("devices", skerry_heap_used() - definitions);
    board_print_number("heap", skerry_heap_peak());
    board_print_number("stack", board_stack_peak());
    return 0;
}
