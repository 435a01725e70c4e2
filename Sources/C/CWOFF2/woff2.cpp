#include "woff2.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <woff2/encode.h>

namespace {
/// The library says on standard error how much smaller a font has become.
struct Silence {
    int kept = dup(STDERR_FILENO);
    Silence() {
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (kept >= 0 && nowhere >= 0) dup2(nowhere, STDERR_FILENO);
        if (nowhere >= 0) close(nowhere);
    }
    ~Silence() {
        if (kept < 0) return;
        dup2(kept, STDERR_FILENO);
        close(kept);
    }
};
}  // namespace

size_t forme_woff2_bound(const uint8_t *font, size_t length) { return woff2::MaxWOFF2CompressedSize(font, length); }

bool forme_woff2_compress(const uint8_t *font, size_t length, uint8_t *result, size_t *written) {
    Silence silence;
    // The library leaves the bytes as they are that fill up the last four, and clients would be sent what was in memory before.
    memset(result, 0, *written);
    try {
        return woff2::ConvertTTFToWOFF2(font, length, result, written);
    } catch (...) {
        return false;  // out of memory
    }
}
