// Plays the messages of a file, as example.c does, and compares each publication with the line of `skerry replay`. Then damages
// the definition, which must be refused.
// test DEFINITION.skd MESSAGES EXPECTED

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "skerry.h"

static FILE *expected;
static int lines;

static void check(bool is_right, const char *what) {
    if (is_right) return;
    fprintf(stderr, "Embedded/Example/test.c: publication %d: %s\n", lines, what);
    exit(1);
}

static FILE *opened(const char *path) {
    FILE *file = fopen(path, "rb");
    check(file != NULL, path);
    return file;
}

// Compares all publications with the next lines: their beginning up to the payload, and the payload in quotes, which ends them.
static void compare(void) {
    static char line[8192], wanted[8192];
    int64_t at;
    const uint8_t *topic, *payload;
    size_t topic_count, payload_count;
    uint32_t flags;
    while (skerry_read(&at, &topic, &topic_count, &payload, &payload_count, &flags)) {
        lines++;
        check(fgets(line, sizeof line, expected) != NULL, "skerry replay has fewer");
        line[strcspn(line, "\n")] = 0;
        time_t second = (time_t)(at / 1000000);
        char moment[32];
        strftime(moment, sizeof moment, "%Y-%m-%dT%H:%M:%S", gmtime(&second));
        int length = snprintf(wanted, sizeof wanted,
            "{\"tst\":\"%s.%06" PRId64 "Z+0000\",\"topic\":\"%.*s\",\"qos\":%d,\"retain\":%d,\"payloadlen\":%zu,", moment, at % 1000000,
            (int)topic_count, (const char *)topic, (int)(flags & 3), (flags & 4) != 0, payload_count);
        check(strncmp(line, wanted, (size_t)length) == 0, line);
        length = snprintf(wanted, sizeof wanted, payload_count == 0 ? ",\"payload\":null}" : ",\"payload\":\"");
        for (size_t place = 0; place < payload_count; place++) {
            if (payload[place] == '"') wanted[length++] = '\\';
            wanted[length++] = (char)payload[place];
        }
        strcpy(wanted + length, payload_count == 0 ? "" : "\"}");
        check(strlen(line) > strlen(wanted) && strcmp(line + strlen(line) - strlen(wanted), wanted) == 0, line);
    }
}

static void advance(int64_t end) {
    while (skerry_next_deadline() <= end) {
        skerry_advance(skerry_next_deadline());
        compare();
    }
}

int main(int count, char **arguments) {
    static uint8_t bytes[65536];
    check(count == 4, "usage: test DEFINITION.skd MESSAGES EXPECTED");
    size_t size = fread(bytes, 1, sizeof bytes, opened(arguments[1]));
    check(skerry_add(bytes, size) == 0, "the definition is refused");
    bytes[size / 2] ^= 1;
    check(skerry_add(bytes, size) == 5, "a damaged definition is not refused");
    FILE *messages = opened(arguments[2]);
    expected = opened(arguments[3]);
    char topic[256], payload[256];
    int64_t at;
    for (bool has_begun = false; fscanf(messages, "%" SCNd64 " %255s %255[^\n]", &at, topic, payload) == 3; has_begun = true) {
        if (!has_begun) skerry_begin(at / 1000000);
        advance(at);
        skerry_message((const uint8_t *)topic, strlen(topic), (const uint8_t *)payload, strlen(payload), false, at);
        compare();
    }
    while (skerry_is_pending()) advance(skerry_next_deadline());
    check(lines > 0 && fgetc(expected) == EOF, "skerry replay has more");
    printf("in C, %s: %d publications as the gateway's\n", arguments[2], lines);
    return 0;
}
