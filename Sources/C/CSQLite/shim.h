// SQLite, as far as Forme uses it.
#pragma once
#include <sqlite3.h>

// Variadic calls and constants that are casts, which Swift cannot import.
static inline int forme_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    // A null pointer would bind NULL; an empty blob is not NULL.
    return sqlite3_bind_blob(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}
static inline int forme_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *utf8, int count) {
    return sqlite3_bind_text(statement, index, utf8, count, SQLITE_TRANSIENT);
}
static inline int forme_sqlite_no_checkpoint_on_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
// Syncs the write-ahead log through the file that the connection has of it, so that its VFS knows. A connection that has not
// looked into the file yet has none, and nothing to sync.
static inline int forme_sqlite_sync_log(sqlite3 *database) {
    sqlite3_file *log = 0;
    int status = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (status != SQLITE_OK || !log || !log->pMethods) return status;
    return log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);
}
// Brings the database file itself to the disk, as far as the log was copied into it, through the handle that the connection has.
static inline int forme_sqlite_sync_file(sqlite3 *database) {
    sqlite3_file *file = 0;
    int status = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (status != SQLITE_OK || !file || !file->pMethods) return status;
    return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
}
// A file or its log is shorter than SQLite knows it to be.
enum { forme_sqlite_short_read = SQLITE_IOERR_SHORT_READ };
// The disk did not confirm that it has a file, or the names in a folder.
enum { forme_sqlite_unsynced_file = SQLITE_IOERR_FSYNC, forme_sqlite_unsynced_names = SQLITE_IOERR_DIR_FSYNC };
// Reads bytes of the database file itself, whatever its log says, or of the log: through the handle that the connection has, as
// another one, once closed, would take the locks of this process with it. Bytes behind the end of the file are zero.
static inline int forme_sqlite_read(sqlite3 *database, int from_log, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int kind = from_log ? SQLITE_FCNTL_JOURNAL_POINTER : SQLITE_FCNTL_FILE_POINTER;
    int status = sqlite3_file_control(database, "main", kind, &file);
    if (status != SQLITE_OK) return status;
    if (!file || !file->pMethods) return SQLITE_IOERR_SHORT_READ;
    return file->pMethods->xRead(file, bytes, count, offset);
}
static inline int forme_sqlite_take_frames(void *frames, sqlite3 *database, const char *name, int count) {
    (void)database, (void)name;
    *(int *)frames = count;
    return SQLITE_OK;
}
// From now on each commit says how many frames the log has.
static inline void forme_sqlite_count_frames(sqlite3 *database, int *frames) {
    sqlite3_wal_hook(database, forme_sqlite_take_frames, frames);
}

// The index of a write-ahead log, as words (https://sqlite.org/walformat.html), and the file that it is of; none where nobody has read.
static inline int forme_sqlite_log_index(sqlite3 *database, sqlite3_file **file, volatile unsigned **words) {
    void volatile *index = 0;
    int status = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, file);
    if (status != SQLITE_OK) return status;
    if (!*file || !(*file)->pMethods) return SQLITE_IOERR_SHORT_READ;
    status = (*file)->pMethods->xShmMap(*file, 0, 32768, 0, &index);
    *words = (volatile unsigned *)index;
    return status;
}
// Where a write-ahead log stands, as its index says: the frames that are committed, those of them
// that the file has, and the salt, which is another one each time that the log is begun anew. The connection has read before.
static inline int forme_sqlite_log_standing(sqlite3 *database, unsigned *frames, unsigned *copied, unsigned *salt) {
    sqlite3_file *file = 0;
    volatile unsigned *words = 0;
    int status = forme_sqlite_log_index(database, &file, &words);
    if (status != SQLITE_OK || !words) return status == SQLITE_OK ? SQLITE_IOERR_SHORT_READ : status;
    *frames = words[4], *copied = words[24];
    salt[0] = words[8], salt[1] = words[9];
    return SQLITE_OK;
}
// Has the next checkpoint copy the log from its beginning: nobody knows if the disk has what was copied without a sync. The caller
// is alone in writing, and in no transaction.
static inline int forme_sqlite_copy_anew(sqlite3 *database) {
    sqlite3_file *file = 0;
    volatile unsigned *words = 0;
    int status = forme_sqlite_log_index(database, &file, &words);
    if (status == SQLITE_OK && words && words[24] < words[4]) words[24] = 0;
    return status;
}
// Marks a frame as a reader does, so that a checkpoint copies up to there and no further. The slot is 0 where other readers have all
// of them. The connection is in no transaction, and in none until the mark is taken away.
static inline int forme_sqlite_hold_log(sqlite3 *database, unsigned frame, int *slot) {
    enum { first_lock = 3, first_mark = 25, most = 4 };
    sqlite3_file *file = 0;
    volatile unsigned *words = 0;
    *slot = 0;
    int status = forme_sqlite_log_index(database, &file, &words);
    if (status != SQLITE_OK || !words) return status == SQLITE_OK ? SQLITE_IOERR_SHORT_READ : status;
    volatile unsigned *marks = words + first_mark;
    for (int i = most; i > 0; i--) {
        if (file->pMethods->xShmLock(file, first_lock + i, 1, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE) != SQLITE_OK) continue;
        marks[i] = frame;
        file->pMethods->xShmLock(file, first_lock + i, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE);
        if (file->pMethods->xShmLock(file, first_lock + i, 1, SQLITE_SHM_LOCK | SQLITE_SHM_SHARED) != SQLITE_OK) continue;
        // Between the two locks a reader may have put its own mark there.
        if (marks[i] == frame) {
            *slot = i;
            return SQLITE_OK;
        }
        file->pMethods->xShmLock(file, first_lock + i, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED);
    }
    return SQLITE_OK;
}
static inline void forme_sqlite_let_log_go(sqlite3 *database, int slot) {
    sqlite3_file *file = 0;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file) return;
    file->pMethods->xShmLock(file, 3 + slot, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED);
}
