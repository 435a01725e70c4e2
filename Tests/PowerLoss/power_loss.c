#include "power_loss.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    sqlite3_file base;
    const char *name;     // lives as long as the file is open
    sqlite3_file *inner;  // behind this struct
} file_t;

#define INNER(file) (((file_t *)(file))->inner)
#define CALL(file, method, ...) INNER(file)->pMethods->method(INNER(file), ##__VA_ARGS__)

enum { most_prefixes = 64 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *full[most_prefixes], *failing[most_prefixes], *shut[most_prefixes];

static void set(char **prefixes, const char *prefix, int is_in) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < most_prefixes; i++) {
        if (is_in && !prefixes[i]) {
            prefixes[i] = strdup(prefix);
            break;
        }
        if (!is_in && prefixes[i] && strcmp(prefixes[i], prefix) == 0) {
            free(prefixes[i]);
            prefixes[i] = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
}

void forme_power_loss_fill(const char *prefix, int is_full) { set(full, prefix, is_full); }
void forme_power_loss_fail(const char *prefix, int fails) { set(failing, prefix, fails); }
void forme_power_loss_shut(const char *prefix, int is_shut) { set(shut, prefix, is_shut); }

static int begins(const char *name, char **prefixes) {
    int found = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; name && i < most_prefixes; i++) {
        found |= prefixes[i] && strncmp(name, prefixes[i], strlen(prefixes[i])) == 0;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static int close_file(sqlite3_file *file) { return INNER(file)->pMethods ? CALL(file, xClose) : SQLITE_OK; }

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_int64 size = 0;
    if (begins(((file_t *)file)->name, full)) {
        int status = CALL(file, xFileSize, &size);
        if (status) return status;
        if (offset + count > size) return SQLITE_FULL;
    }
    return CALL(file, xWrite, bytes, count, offset);
}

// The copy is renamed into place: a test may make its image of the disk at any time.
static int keep(sqlite3_file *file) {
    const char *name = ((file_t *)file)->name;
    sqlite3_int64 size = 0;
    if (!name) return SQLITE_OK;
    if (CALL(file, xFileSize, &size)) return SQLITE_IOERR;
    char *bytes = malloc((size_t)size + 1), *path = sqlite3_mprintf("%s.durable", name);
    char *draft = sqlite3_mprintf("%s.draft", path);
    int status = size > 0 ? CALL(file, xRead, bytes, (int)size, 0) : SQLITE_OK;
    FILE *copy = fopen(draft, "w");
    if (!copy || fwrite(bytes, 1, (size_t)size, copy) != (size_t)size) status = SQLITE_IOERR;
    if (copy && fclose(copy)) status = SQLITE_IOERR;
    if (!status && rename(draft, path)) status = SQLITE_IOERR;
    free(bytes);
    sqlite3_free(path);
    sqlite3_free(draft);
    return status;
}

// What is kept is the whole point; waiting for the real disk would add nothing.
static int sync_file(sqlite3_file *file, int flags) {
    (void)flags;
    if (!begins(((file_t *)file)->name, failing)) return keep(file);
    errno = ENOSPC;  // as disks do that promise more room than they have
    return SQLITE_IOERR_FSYNC;
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return CALL(file, xRead, bytes, count, offset);
}
static int truncate_file(sqlite3_file *file, sqlite3_int64 size) { return CALL(file, xTruncate, size); }
static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return CALL(file, xFileSize, size); }
static int lock_file(sqlite3_file *file, int level) { return CALL(file, xLock, level); }
static int unlock_file(sqlite3_file *file, int level) { return CALL(file, xUnlock, level); }
static int check_lock(sqlite3_file *file, int *is_locked) { return CALL(file, xCheckReservedLock, is_locked); }
static int control_file(sqlite3_file *file, int operation, void *value) {
    return CALL(file, xFileControl, operation, value);
}
static int sector_size(sqlite3_file *file) { return CALL(file, xSectorSize); }
static int characteristics(sqlite3_file *file) { return CALL(file, xDeviceCharacteristics); }
static int map_shm(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
    return CALL(file, xShmMap, region, size, extends, memory);
}
static int lock_shm(sqlite3_file *file, int offset, int count, int flags) {
    return CALL(file, xShmLock, offset, count, flags);
}
static void barrier_shm(sqlite3_file *file) { CALL(file, xShmBarrier); }
static int unmap_shm(sqlite3_file *file, int deletes) { return CALL(file, xShmUnmap, deletes); }
static int fetch_file(sqlite3_file *file, sqlite3_int64 offset, int count, void **bytes) {
    return CALL(file, xFetch, offset, count, bytes);
}
static int unfetch_file(sqlite3_file *file, sqlite3_int64 offset, void *bytes) {
    return CALL(file, xUnfetch, offset, bytes);
}

static const sqlite3_io_methods methods = {
    3, close_file, read_file, write_file, truncate_file, sync_file, file_size, lock_file, unlock_file, check_lock,
    control_file, sector_size, characteristics, map_shm, lock_shm, barrier_shm, unmap_shm, fetch_file, unfetch_file,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    sqlite3_vfs *inner = vfs->pAppData;
    file_t *own = (file_t *)file;
    memset(own, 0, sizeof *own);
    own->inner = (sqlite3_file *)(own + 1);
    if (begins(name, shut)) {
        errno = EMFILE;
        return SQLITE_CANTOPEN;
    }
    own->name = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL) ? name : NULL;
    int status = inner->xOpen(inner, name, own->inner, flags, out);
    own->base.pMethods = own->inner->pMethods ? &methods : NULL;
    return status;
}

static sqlite3_vfs vfs;

static void register_vfs(void) {
    sqlite3_vfs *inner = sqlite3_vfs_find("forme-scrub");
    if (!inner) inner = sqlite3_vfs_find(NULL);
    vfs = *inner;
    vfs.zName = "forme-power-loss";
    vfs.szOsFile = (int)sizeof(file_t) + inner->szOsFile;
    vfs.pAppData = inner;
    vfs.pNext = NULL;
    vfs.xOpen = open_file;
    sqlite3_vfs_register(&vfs, 0);
}

const char *forme_power_loss_vfs(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_vfs);
    return vfs.zName;
}
