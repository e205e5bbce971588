#ifndef SKERRY_CZLIB_SHIM_H
#define SKERRY_CZLIB_SHIM_H

#include <zlib.h>

/* deflateInit2 is a macro, which Swift cannot call. Window bits of 31 make gzip, -15 bare blocks. */
static inline int skerry_deflate_start(z_streamp stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

#endif
