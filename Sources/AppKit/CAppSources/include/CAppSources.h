#ifndef SKERRY_CAPPSOURCES_H
#define SKERRY_CAPPSOURCES_H

#include <stddef.h>

/* A file of the generated app, embedded in the program. */
struct skerry_app_source {
    /* Its path below reporter/, app/ or views/, with that folder. */
    const char *path;
    const unsigned char *bytes;
    size_t size;
};

/* The file with a number, from 0; NULL behind the last one. */
const struct skerry_app_source *skerry_app_source(size_t number);

#endif
