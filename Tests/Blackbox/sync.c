// fsync and fdatasync that fail: every n-th call of a process, as the file says that BLACKBOX_SYNC names. For tests alone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_long calls;

static int refused(void) {
    const char *path = getenv("BLACKBOX_SYNC");
    if (path == NULL) return 0;
    if (atomic_fetch_add(&calls, 1) == 0) {
        // Says that somebody synced at all: else a test of failures would pass for want of any.
        char counted[4096];
        snprintf(counted, sizeof counted, "%s", path);
        char *name = strrchr(counted, '/');
        if (name != NULL) {
            strcpy(name, "/counted");
            int mark = open(counted, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
            if (mark >= 0) close(mark);
        }
    }
    char text[16] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    long every = count > 0 ? atol(text) : 0;
    if (every <= 0 || atomic_load(&calls) % every != 0) return 0;
    errno = EIO;
    return 1;
}

int fsync(int file) {
    static int (*real)(int);
    if (real == NULL) real = dlsym(RTLD_NEXT, "fsync");
    return refused() ? -1 : real(file);
}

int fdatasync(int file) {
    static int (*real)(int);
    if (real == NULL) real = dlsym(RTLD_NEXT, "fdatasync");
    return refused() ? -1 : real(file);
}
