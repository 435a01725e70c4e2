// With secure_delete SQLite writes zeros over what is deleted, but not over copies: when it moves cells between pages, what
// they leave behind stays in the unused gap between the cell pointers and the cells. So a deleted row can be found in the file
// long after. This VFS is SQLite's own, except that each b-tree page is written into a database file with zeros in its gap.
// Nothing reads the gap; the log, where pages have checksums, is left as it is, and emptied soon.
#include "scrub.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    sqlite3_file base;
    unsigned char *copy;  // for one page, of a database file only
    int capacity, is_database;
    sqlite3_file *inner;  // behind this struct
} file_t;

#define INNER(file) (((file_t *)(file))->inner)
#define CALL(file, method, ...) INNER(file)->pMethods->method(INNER(file), ##__VA_ARGS__)

enum { index_interior = 2, table_interior = 5, index_leaf = 10, table_leaf = 13 };

static unsigned two_bytes(const unsigned char *bytes) { return (unsigned)bytes[0] << 8 | bytes[1]; }

// Pages of an auto-vacuum file that tell which page belongs to which begin with bytes like those of b-tree pages. They stand at places of
// their own, where another file has pages like any others; and every fifth of their bytes is a kind, from 1 to 5, or 0 where no page is. In
// a b-tree page the sixth byte alone is more, as it says where the cells begin, unless there are enough of them to tell.
static int is_pointer_map(const unsigned char *page, int size, sqlite3_int64 number) {
    if (number < 2 || (number - 2) % (size / 5 + 1) != 0) return 0;
    for (int place = 0; place + 5 <= size; place += 5) {
        if (page[place] > 5) return 0;
    }
    return 1;
}

// Where the gap of a b-tree page is; 0 where it is no such page, or has none.
static int find_gap(const unsigned char *page, int size, sqlite3_int64 number, int *start, int *end) {
    int header = number == 1 ? 100 : 0;
    int type = page[header];
    int is_leaf = type == index_leaf || type == table_leaf;
    if (!is_leaf && type != index_interior && type != table_interior) return 0;
    if (is_pointer_map(page, size, number)) return 0;
    *start = header + (is_leaf ? 8 : 12) + 2 * (int)two_bytes(page + header + 3);
    *end = (int)two_bytes(page + header + 5);
    if (*end == 0) *end = 65536;
    return *start < *end && *end <= size;
}

static int close_file(sqlite3_file *file) {
    int status = INNER(file)->pMethods ? CALL(file, xClose) : SQLITE_OK;
    free(((file_t *)file)->copy);
    return status;
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    file_t *own = (file_t *)file;
    int start, end;
    if (own->is_database && count >= 512 && (count & (count - 1)) == 0 && offset % count == 0
        && find_gap(bytes, count, offset / count + 1, &start, &end)) {
        if (own->capacity < count) {
            free(own->copy);
            own->copy = malloc((size_t)count);
            own->capacity = own->copy ? count : 0;
            if (!own->copy) return SQLITE_IOERR_NOMEM;
        }
        memcpy(own->copy, bytes, (size_t)count);
        memset(own->copy + start, 0, (size_t)(end - start));
        bytes = own->copy;
    }
    return CALL(file, xWrite, bytes, count, offset);
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return CALL(file, xRead, bytes, count, offset);
}
static int truncate_file(sqlite3_file *file, sqlite3_int64 size) { return CALL(file, xTruncate, size); }
static int sync_file(sqlite3_file *file, int flags) { return CALL(file, xSync, flags); }
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
    own->is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
    int status = inner->xOpen(inner, name, own->inner, flags, out);
    own->base.pMethods = own->inner->pMethods ? &methods : NULL;
    return status;
}

static sqlite3_vfs vfs;

static void register_vfs(void) {
    sqlite3_vfs *inner = sqlite3_vfs_find(NULL);
    if (!inner) return;
    // All but opening is done by the functions of the one that it wraps; they do not look at which VFS they are asked by.
    vfs = *inner;
    vfs.zName = "forme-scrub";
    vfs.szOsFile = (int)sizeof(file_t) + inner->szOsFile;
    vfs.pAppData = inner;
    vfs.pNext = NULL;
    vfs.xOpen = open_file;
    sqlite3_vfs_register(&vfs, 0);
}

const char *forme_scrub_vfs(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_vfs);
    return vfs.zName;
}
