#include "CReporter.h"

/* The files of reporter/, which `skerry generate swift` writes as they are. */

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app[] = {
#embed "reporter/SkerryApp.swift"
};
static const unsigned char courier[] = {
#embed "reporter/SkerryCourier.swift"
};
static const unsigned char pairing[] = {
#embed "reporter/SkerryPairing.swift"
};
static const unsigned char reporter[] = {
#embed "reporter/SkerryReporter.swift"
};
static const unsigned char reports[] = {
#embed "reporter/SkerryReports.swift"
};

static const struct skerry_reporter_file files[] = {
    {"SkerryApp.swift", app, sizeof app},
    {"SkerryCourier.swift", courier, sizeof courier},
    {"SkerryPairing.swift", pairing, sizeof pairing},
    {"SkerryReporter.swift", reporter, sizeof reporter},
    {"SkerryReports.swift", reports, sizeof reports},
};

const struct skerry_reporter_file *skerry_reporter_file(size_t number) {
    return number < sizeof files / sizeof *files ? &files[number] : NULL;
}
