#ifndef SKERRY_CTIMEX_SHIM_H
#define SKERRY_CTIMEX_SHIM_H

/* Swift's module of the C library leaves these headers out. */
#include <sys/eventfd.h>
#include <sys/timex.h>

#endif
