#ifndef SKERRY_CREPORTER_H
#define SKERRY_CREPORTER_H

#include <stddef.h>

/* A file of the generated reporter, embedded in the program. */
struct skerry_reporter_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

/* The file with a number, from 0; NULL behind the last one. */
const struct skerry_reporter_file *skerry_reporter_file(size_t number);

#endif
