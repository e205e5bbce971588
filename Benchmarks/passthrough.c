/* The bridge as one would write it by hand in C: it reads the same payloads, keeps the state of every device in a
 * hash table, changes the state by a switch, and publishes only changes. It stores nothing, has no timers, checks JSON
 * only as far as necessary, and knows only these devices. So its cost is the least that is possible for the job.
 *
 * A scanner reads only the required fields of the JSON and builds no tree: a tree like that of cJSON costs several
 * times as much.
 *
 *   cc -O2 -o passthrough passthrough.c -lmosquitto
 *   ./passthrough --port 1883 --qos 1 --topic 'plug/#' --prefix passthrough --count 100000 */
#include "client.h"
#include <stdint.h>

enum { text_length = 64, table_size = 1 << 18 };

enum state { unknown, idle, running, paused, finished, failed };

struct device {
    char *topic;
    enum state state;
    long drawn_at; /* when it last drew power, in seconds since 1970 */
    long ends_at; /* seconds since 1970; 0: nothing is running down */
    char program[text_length];
};

/* The fields of a payload; a missing text stays empty. */
struct report {
    char state[text_length];
    char program[text_length];
    double remaining;
    int has_remaining;
};

static struct device *table[table_size];
static long device_count;

static struct device *find_device(const char *topic) {
    uint64_t hash = 14695981039346656037u;
    for (const char *c = topic; *c; c++) hash = (hash ^ (uint8_t)*c) * 1099511628211u;
    for (size_t i = hash % table_size;; i = (i + 1) % table_size) {
        if (table[i] && !strcmp(table[i]->topic, topic)) return table[i];
        if (table[i]) continue;
        if (device_count >= table_size / 2) return NULL;
        struct device *device = calloc(1, sizeof *device);
        if (!device || !(device->topic = strdup(topic))) exit(1);
        table[i] = device;
        device_count++;
        return device;
    }
}

/* ---- JSON ---- */

static const char *skip_string(const char *c, const char *end) {
    for (; c < end; c++) {
        if (*c == '\\') { c++; continue; }
        if (*c == '"') return c;
    }
    return end;
}

static void copy_text(char *target, const char *start, const char *end) {
    size_t length = (size_t)(end - start) < text_length - 1 ? (size_t)(end - start) : text_length - 1;
    memcpy(target, start, length);
    target[length] = 0;
}

static int is_key(const char *start, const char *end, const char *name) {
    size_t length = strlen(name);
    return (size_t)(end - start) == length && !memcmp(start, name, length);
}

struct fields {
    int depth; /* of the object that holds them: 1 is the root */
    const char *state, *program, *remaining;
    double unit; /* seconds in one of `remaining` */
};

static void take_field(const struct fields *fields, struct report *report, const char *key, const char *key_end,
                       const char *value, const char *end) {
    if (is_key(key, key_end, fields->remaining)) {
        char number[32];
        size_t length = (size_t)(end - value) < sizeof number - 1 ? (size_t)(end - value) : sizeof number - 1;
        memcpy(number, value, length);
        number[length] = 0;
        char *rest;
        report->remaining = strtod(number, &rest) * fields->unit;
        report->has_remaining = rest != number;
    } else if (value < end && *value >= '0' && *value <= '9' && is_key(key, key_end, fields->state)) {
        copy_text(report->state, value, value + 1);
    } else if (value < end && *value == '"') {
        const char *text_end = skip_string(value + 1, end);
        if (is_key(key, key_end, fields->state)) copy_text(report->state, value + 1, text_end);
        else if (is_key(key, key_end, fields->program)) copy_text(report->program, value + 1, text_end);
    }
}

static void scan(const struct fields *fields, const char *c, const char *end, struct report *report) {
    int depth = 0;
    while (c < end) {
        switch (*c) {
        case '{': case '[': depth++; c++; break;
        case '}': case ']': depth--; c++; break;
        case '"': {
            const char *key = c + 1, *key_end = skip_string(key, end);
            c = key_end + 1;
            while (c < end && (*c == ' ' || *c == '\n' || *c == '\t' || *c == '\r')) c++;
            if (depth != fields->depth || c >= end || *c != ':') break;
            c++;
            while (c < end && (*c == ' ' || *c == '\n' || *c == '\t' || *c == '\r')) c++;
            take_field(fields, report, key, key_end, c, end);
            if (c < end && *c == '"') c = skip_string(c + 1, end) + 1;
            break;
        }
        default: c++;
        }
    }
}

/* ---- The devices ---- */

static enum state named_state(const char *name, enum state former) {
    switch (name[0]) {
    case 0: return former;
    case '0': return finished;
    case '1': return running;
    case 'I': return idle;                                         /* IDLE, Inactive */
    case 'R': return !strcmp(name, "Ready") ? idle : running;      /* RUNNING, Run, Ready */
    case 'P': return !strcmp(name, "PREPARE") ? running : paused;  /* PREPARE, PAUSE, Pause */
    case 'F': return name[1] == 'A' ? failed : finished;           /* FAILED, FINISH, Finished */
    case 'A': case 'E': return failed;                             /* Aborting, ActionRequired, Error */
    default: return former;
    }
}

/* The same bytes, about, as the bridge publishes for a revision, with as much of it as `--publish` asks for. */
static void tell(struct mosquitto *client, const struct device *device) {
    static const char *const names[] = { "unknown", "idle", "running", "paused", "finished", "failed" };
    static char topic[66000];
    char payload[1024];
    const char *state = names[device->state];
    long now = (long)time(NULL);
    int topic_length = snprintf(topic, sizeof topic - 16, "%s/%s", options.prefix, device->topic);
    if (topic_length <= 0 || topic_length >= 65500) return;
    if (options.output == output_diff) {
        int length = snprintf(payload, sizeof payload, "{\"state\":\"%s\",\"end\":%ld,\"program\":\"%s\"}",
                              state, device->ends_at, device->program);
        publish(client, topic, length, payload);
        return;
    }
    int length = snprintf(payload, sizeof payload,
        "{\"id\":\"%s/%ld\",\"rev\":%ld,\"epoch\":%ld,\"at\":%ld.123,\"phase\":\"active\",\"state\":\"%s\","
        "\"attributes\":{\"name\":\"%s\",\"program\":\"%s\"},"
        "\"content\":{\"status\":\"%s\",\"cycle\":{\"start\":%ld,\"end\":%ld}}}",
        device->topic, device->drawn_at, messages_read, now, now, state, device->topic, device->program, state,
        device->drawn_at, device->ends_at);
    strcpy(topic + topic_length, "/activity");
    publish_retained(client, topic, length, payload);
    length = snprintf(payload, sizeof payload,
        "{\"id\":\"%s/%ld\",\"rev\":%ld,\"prev\":%ld,\"epoch\":%ld,\"at\":%ld.123,\"patch\":{\"state\":\"%s\","
        "\"content\":{\"status\":\"%s\",\"cycle\":{\"start\":%ld,\"end\":%ld}}}}",
        device->topic, device->drawn_at, messages_read, messages_read - 1, now, now, state, state, device->drawn_at,
        device->ends_at);
    strcpy(topic + topic_length, "/activity/diff");
    publish(client, topic, length, payload);
}

static int take_watts(struct device *device, const char *payload, int length, long now) {
    char number[32];
    size_t count = (size_t)length < sizeof number - 1 ? (size_t)length : sizeof number - 1;
    memcpy(number, payload, count);
    number[count] = 0;
    char *rest;
    double watts = strtod(number, &rest);
    if (rest == number) return 0;
    enum state former = device->state;
    if (watts >= 15) device->drawn_at = now;
    switch (device->state) {
    case unknown: case idle: case finished:
        if (watts >= 15) device->state = running;
        else if (device->state == unknown) device->state = idle;
        break;
    case running:
        /* A pause to soak is not the end. Without timers, only the next message can show the end. */
        if (watts < 5 && now - device->drawn_at >= 180) device->state = finished;
        break;
    case paused: case failed: break;
    }
    return device->state != former;
}

static int take_report(struct device *device, const struct report *report, long now) {
    enum state former = device->state;
    int is_changed = 0;
    device->state = named_state(report->state, former);
    is_changed |= device->state != former;
    if (report->program[0] && strcmp(report->program, device->program)) {
        strcpy(device->program, report->program);
        is_changed = 1;
    }
    if (report->has_remaining && device->state == running) {
        long ends_at = now + (long)report->remaining;
        if (labs(ends_at - device->ends_at) > 60) {
            device->ends_at = ends_at;
            is_changed = 1;
        }
    }
    return is_changed;
}

static const struct fields printer = { 2, "gcode_state", "subtask_name", "mc_remaining_time", 60 };
static const struct fields appliance = { 1, "OperationState", "ActiveProgram", "RemainingProgramTime", 1 };
static const struct fields valve = { 1, "state", "program", "duration", 1 };

static void on_message(struct mosquitto *client, void *data, const struct mosquitto_message *message,
                       const mosquitto_property *properties) {
    (void)data; (void)properties;
    callbacks++;
    messages_read++;
    struct device *device = find_device(message->topic);
    if (!device) return;
    long now = (long)time(NULL);
    if (!strncmp(message->topic, "plug/", 5)) {
        if (take_watts(device, message->payload, message->payloadlen, now)) tell(client, device);
        return;
    }
    const struct fields *fields = &valve;
    if (!strncmp(message->topic, "device/", 7)) fields = &printer;
    else if (!strncmp(message->topic, "homeconnect/", 12)) fields = &appliance;
    struct report report;
    report.state[0] = report.program[0] = 0;
    report.has_remaining = 0;
    const char *payload = message->payload;
    scan(fields, payload, payload + message->payloadlen, &report);
    if (take_report(device, &report, now)) tell(client, device);
}

int main(int count, char **words) { return run(count, words); }
