/* The common part of relay.c, passthrough.c and the programs of peers/ in C++: an MQTT 5 client over libmosquitto with its own loop, as lean as the
 * library allows. It reads until the socket is empty or 512 messages were read, and then writes, so that a message
 * costs no more system calls than in a good C program; `mosquitto_loop_forever` would add a `pselect` for every
 * packet.
 *
 * Measured: user and system time of this process (getrusage) from the granted subscription to the end, divided
 * by the number of messages read. The time of the broker and of the publisher is not included. */
#ifndef SKERRY_BENCHMARK_CLIENT_H
#define SKERRY_BENCHMARK_CLIENT_H

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>

/* More than all topic filters of the shipped definitions. */
enum { most_filters = 1024 };

/* What is published for a change: one message, or a retained snapshot and a diff. */
enum output { output_diff, output_state };

struct options {
    const char *host;
    int port;
    int qos;
    const char *id;
    const char *filters[most_filters];
    int filter_count;
    const char *prefix;
    enum output output;
    long limit; /* ends after so many messages; 0: only by SIGTERM or SIGINT */
};

static struct options options = { .host = "127.0.0.1", .port = 1883, .id = "benchmark", .prefix = "relay" };
static volatile sig_atomic_t is_asked_to_end;
static long messages_read, messages_published, messages_acknowledged, callbacks;
static int is_granted;

/* The handler of messages, which each program defines. */
static void on_message(struct mosquitto *, void *, const struct mosquitto_message *, const mosquitto_property *);

static void on_signal(int number) { (void)number; is_asked_to_end = 1; }

static void on_publish(struct mosquitto *client, void *data, int id, int code, const mosquitto_property *properties) {
    (void)client; (void)data; (void)id; (void)code; (void)properties;
    callbacks++;
    messages_acknowledged++;
}

static void on_subscribe(struct mosquitto *client, void *data, int id, int count, const int *granted,
                         const mosquitto_property *properties) {
    (void)client; (void)data; (void)id; (void)properties;
    callbacks++;
    for (int i = 0; i < count; i++) {
        if (granted[i] >= 0x80) { fprintf(stderr, "subscription refused: %d\n", granted[i]); exit(1); }
    }
    is_granted = 1;
}

static void publish_as(struct mosquitto *client, const char *topic, int length, const void *payload, bool is_retained) {
    if (mosquitto_publish_v5(client, NULL, topic, length, payload, options.qos, is_retained, NULL) == MOSQ_ERR_SUCCESS) {
        messages_published++;
    }
}

static void publish(struct mosquitto *client, const char *topic, int length, const void *payload) {
    publish_as(client, topic, length, payload, false);
}

static inline void publish_retained(struct mosquitto *client, const char *topic, int length, const void *payload) {
    publish_as(client, topic, length, payload, true);
}

static void parse_arguments(int count, char **words) {
    for (int i = 1; i + 1 < count; i += 2) {
        const char *value = words[i + 1];
        if (!strcmp(words[i], "--host")) options.host = value;
        else if (!strcmp(words[i], "--port")) options.port = atoi(value);
        else if (!strcmp(words[i], "--qos")) options.qos = atoi(value);
        else if (!strcmp(words[i], "--id")) options.id = value;
        else if (!strcmp(words[i], "--prefix")) options.prefix = value;
        else if (!strcmp(words[i], "--count")) options.limit = atol(value);
        else if (!strcmp(words[i], "--publish")) {
            options.output = !strcmp(value, "state") ? output_state : output_diff;
        }
        else if (!strcmp(words[i], "--topic")) {
            if (options.filter_count == most_filters) { fprintf(stderr, "more than %d topic filters\n", most_filters); exit(64); }
            options.filters[options.filter_count++] = value;
        }
        else { fprintf(stderr, "unknown option %s\n", words[i]); exit(64); }
    }
    if (options.filter_count == 0) {
        fprintf(stderr, "usage: %s --topic FILTER... [--host H] [--port P] [--qos 0|1] [--prefix TOPIC]\n"
                        "       [--count MESSAGES] [--id CLIENT] [--publish diff|state]\n", words[0]);
        exit(64);
    }
}

static double microseconds(struct timeval time) { return time.tv_sec * 1e6 + time.tv_usec; }

static void check(int code, const char *what) {
    if (code == MOSQ_ERR_SUCCESS) return;
    fprintf(stderr, "%s: %s\n", what, mosquitto_strerror(code));
    exit(1);
}

/* Reads until the socket is empty or the batch is full. The library sets errno for other reasons, too: only a
 * read without a callback shows that the socket is empty. */
static int read_batch(struct mosquitto *client) {
    for (long end = messages_read + 512; messages_read < end;) {
        long before = callbacks;
        errno = 0;
        int code = mosquitto_loop_read(client, 1);
        if (code != MOSQ_ERR_SUCCESS) return code;
        if (callbacks == before) break;
    }
    return MOSQ_ERR_SUCCESS;
}

static int is_finished(void) {
    if (is_asked_to_end) return 1;
    if (options.limit == 0 || messages_read < options.limit) return 0;
    return messages_acknowledged >= messages_published;
}

static struct mosquitto *connect_and_subscribe(void) {
    mosquitto_lib_init();
    struct mosquitto *client = mosquitto_new(options.id, true, NULL);
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, 500);
    mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, 100);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_message_v5_callback_set(client, on_message);
    mosquitto_publish_v5_callback_set(client, on_publish);
    mosquitto_subscribe_v5_callback_set(client, on_subscribe);
    check(mosquitto_connect_bind_v5(client, options.host, options.port, 60, NULL, NULL), "cannot connect");
    check(mosquitto_subscribe_multiple(client, NULL, options.filter_count, (char *const *)options.filters,
                                       options.qos, MQTT_SUB_OPT_NO_LOCAL, NULL), "cannot subscribe");
    return client;
}

static int run(int count, char **words) {
    parse_arguments(count, words);
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    struct mosquitto *client = connect_and_subscribe();
    struct rusage start = { 0 }, end;
    int is_announced = 0;
    time_t next_check = 0;
    while (!is_finished()) {
        short events = POLLIN | (mosquitto_want_write(client) ? POLLOUT : 0);
        struct pollfd file = { .fd = mosquitto_socket(client), .events = events };
        if (poll(&file, 1, 1000) < 0 && errno != EINTR) break;
        if (file.revents & ~POLLOUT) check(read_batch(client), "lost the connection");
        if (mosquitto_want_write(client)) check(mosquitto_loop_write(client, 1), "lost the connection");
        time_t now = time(NULL);
        if (now >= next_check) { mosquitto_loop_misc(client); next_check = now + 1; }
        if (is_granted && !is_announced) {
            is_announced = 1;
            fprintf(stderr, "ready\n");
            getrusage(RUSAGE_SELF, &start);
        }
    }
    getrusage(RUSAGE_SELF, &end);
    double user = microseconds(end.ru_utime) - microseconds(start.ru_utime);
    double system = microseconds(end.ru_stime) - microseconds(start.ru_stime);
    printf("messages=%ld published=%ld user_us=%.0f system_us=%.0f cpu_us_per_message=%.2f resident_kb=%ld\n",
           messages_read, messages_published, user, system,
           messages_read ? (user + system) / messages_read : 0.0, end.ru_maxrss);
    mosquitto_disconnect(client);
    mosquitto_destroy(client);
    return 0;
}

#endif
