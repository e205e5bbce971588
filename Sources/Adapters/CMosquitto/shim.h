#ifndef SKERRY_CMOSQUITTO_SHIM_H
#define SKERRY_CMOSQUITTO_SHIM_H

#include <mosquitto.h>
#include <mqtt_protocol.h>

#endif
