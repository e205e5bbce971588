#ifndef SKERRY_CPAGE_H
#define SKERRY_CPAGE_H

#include <stddef.h>

/* A file of the page, embedded in the program. */
struct skerry_page_file {
    /* The name of the file, which is the last part of its address. */
    const char *name;
    const char *media_type;
    const unsigned char *bytes;
    size_t size;
};

/* The file with a number, from 0; NULL behind the last one. */
const struct skerry_page_file *skerry_page_file(size_t number);

/* The description of the HTTP API, docs/openapi.yaml. */
const struct skerry_page_file *skerry_api_description(void);

#endif
