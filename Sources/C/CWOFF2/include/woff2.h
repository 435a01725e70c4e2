// Compressing fonts as browsers take them. libwoff2enc speaks C++ alone.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that a compressed font may have at most.
size_t forme_woff2_bound(const uint8_t *font, size_t length);

/// Compresses a font; `written` is how many bytes there is room for, and then how many were written. False for what is no font.
bool forme_woff2_compress(const uint8_t *font, size_t length, uint8_t *result, size_t *written);

#ifdef __cplusplus
}
#endif
