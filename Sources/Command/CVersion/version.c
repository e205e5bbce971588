#include "CVersion.h"

/* In C, so that another version compiles this file and nothing else. */
#ifndef SKERRY_VERSION
#define SKERRY_VERSION "development"
#endif

const char *skerry_version(void) { return SKERRY_VERSION; }
