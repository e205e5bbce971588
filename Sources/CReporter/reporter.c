#include "CReporter.h"

/* The files of reporter/, which `skerry generate swift` writes as they are. */

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char reports[] = {
#embed "reporter/SkerryReports.swift"
};
static const unsigned char reporter[] = {
#embed "reporter/SkerryReporter.swift"
};
static const unsigned char app[] = {
#embed "reporter/SkerryApp.swift"
};

static const struct skerry_reporter_file files[] = {
    {"SkerryApp.swift", app, sizeof app},
    {"SkerryReporter.swift", reporter, sizeof reporter},
    {"SkerryReports.swift", reports, sizeof reports},
};

const struct skerry_reporter_file *skerry_reporter_file(size_t number) {
    return number < sizeof files / sizeof *files ? &files[number] : NULL;
}
