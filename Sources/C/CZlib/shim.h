// zlib, as far as Forme uses it.
#pragma once
#include <zlib.h>

// A macro, which Swift cannot import. 16 more than the window asks for the header of gzip.
static inline int forme_gzip_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
