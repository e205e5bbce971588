/* The yardstick: a program that publishes every message again under another prefix, without reading its content.
 * Its cost is that of libmosquitto and the kernel for one message in and one message out.
 *
 *   cc -O2 -o relay relay.c -lmosquitto
 *   ./relay --port 1883 --qos 1 --topic 'plug/#' --prefix relay --count 100000 */
#include "client.h"

static void on_message(struct mosquitto *client, void *data, const struct mosquitto_message *message,
                       const mosquitto_property *properties) {
    (void)data; (void)properties;
    static char topic[66000];
    callbacks++;
    messages_read++;
    int length = snprintf(topic, sizeof topic, "%s/%s", options.prefix, message->topic);
    if (length > 0 && length < 65536) publish(client, topic, message->payloadlen, message->payload);
}

int main(int count, char **words) { return run(count, words); }
