// Reads a compiled definition and messages, and prints what a gateway would publish; one message a line: its time in microseconds,
// its topic, its payload.
// example DEFINITION.skd <MESSAGES

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "skerry.h"

#define TWO_DAYS (INT64_C(48) * 3600 * 1000000)

static void publish(void) {
    int64_t at;
    const uint8_t *topic, *payload;
    size_t topic_count, payload_count;
    uint32_t flags;
    while (skerry_read(&at, &topic, &topic_count, &payload, &payload_count, &flags)) {
        printf("%" PRId64 " %.*s %.*s\n", at, (int)topic_count, (const char *)topic, (int)payload_count, (const char *)payload);
    }
}

static int add(const char *path) {
    static uint8_t bytes[65536];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return -1;
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return skerry_add(bytes, count);
}

int main(int count, char **arguments) {
    if (count != 2 || add(arguments[1]) != 0) {
        fprintf(stderr, "usage: example DEFINITION.skd <MESSAGES, with a definition that skerry compile made\n");
        return 1;
    }
    char topic[256], payload[4096];
    int64_t at = 0;
    bool has_begun = false;
    while (scanf("%" SCNd64 " %255s %4095[^\n]", &at, topic, payload) == 3) {
        if (!has_begun) skerry_begin(at / 1000000);
        has_begun = true;
        // Firmware sleeps until the next deadline, or until a message comes.
        while (skerry_next_deadline() <= at) {
            skerry_advance(skerry_next_deadline());
            publish();
        }
        skerry_message((const uint8_t *)topic, strlen(topic), (const uint8_t *)payload, strlen(payload), false, at);
        publish();
    }
    for (int64_t end = at + TWO_DAYS; skerry_is_pending() && skerry_next_deadline() <= end;) {
        skerry_advance(skerry_next_deadline());
        publish();
    }
    return 0;
}
