/* What the peers in C++ share: each publishes the state of an appliance of Home Connect whenever it changes, as the
 * pass-through in C does with `--publish diff`. How the state is kept is up to each. */
#ifndef SKERRY_BENCHMARK_APPLIANCE_H
#define SKERRY_BENCHMARK_APPLIANCE_H

#include "../client.h"
#include <cjson/cJSON.h>
#include <string>

/* An appliance: its topic, and what its messages said last. */
struct Appliance {
    struct mosquitto *client = nullptr;
    std::string topic, program;
    double remaining = 0;

    /* Publishes the state that was entered. */
    void tell(const char *state) const {
        char payload[1024];
        int length = snprintf(payload, sizeof payload, "{\"state\":\"%s\",\"end\":%ld,\"program\":\"%s\"}", state,
                              (long)time(nullptr) + (long)remaining, program.c_str());
        publish(client, (std::string(options.prefix) + "/" + topic).c_str(), length, payload);
    }

    /* Takes the fields of a payload, and returns the name of its operation; an empty one is no event. */
    std::string read(const struct mosquitto_message *message) {
        std::string operation;
        cJSON *report = cJSON_ParseWithLength((const char *)message->payload, (size_t)message->payloadlen);
        if (const cJSON *item = cJSON_GetObjectItem(report, "OperationState"); cJSON_IsString(item)) {
            operation = item->valuestring;
        }
        if (const cJSON *item = cJSON_GetObjectItem(report, "ActiveProgram"); cJSON_IsString(item)) {
            program = item->valuestring;
        }
        if (const cJSON *item = cJSON_GetObjectItem(report, "RemainingProgramTime"); cJSON_IsNumber(item)) {
            remaining = item->valuedouble;
        }
        cJSON_Delete(report);
        return operation;
    }
};

#endif
