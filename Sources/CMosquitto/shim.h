#ifndef SKERRY_CMOSQUITTO_SHIM_H
#define SKERRY_CMOSQUITTO_SHIM_H

#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/* Names the calling thread; prctl is variadic, which Swift cannot call. */
static inline void skerry_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#endif
