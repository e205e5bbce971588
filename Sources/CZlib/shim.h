#ifndef SKERRY_CZLIB_SHIM_H
#define SKERRY_CZLIB_SHIM_H

#include <zlib.h>

/* deflateInit2 is a macro, which Swift cannot call: 31 is the largest window, with the head and end of gzip. */
static inline int skerry_gzip_start(z_streamp stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
}

#endif
