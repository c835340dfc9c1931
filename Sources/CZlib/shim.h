#ifndef RUNWAY_CZLIB_SHIM_H
#define RUNWAY_CZLIB_SHIM_H

#include <zlib.h>

// `inflateInit2` is a macro that passes the header's version and the struct's
// size, and can't be used from Swift. 32 lets zlib accept gzip and zlib headers.
static inline int runway_inflateInitAutomatic(z_stream *stream) {
  return inflateInit2(stream, 32 + MAX_WBITS);
}

#endif
