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
