#include <libpq-fe.h>

/// Sends a statement whose parameters, up to eight and all in PostgreSQL's binary forms, stand one behind another.
static inline int forme_pq_send(
    PGconn *link, const char *statement, int count, const Oid *types, const char *bytes, const int *lengths) {
    const char *values[8];
    int formats[8];
    size_t at = 0;
    if (count > 8) return 0;
    for (int i = 0; i < count; i++) {
        values[i] = bytes + at;
        formats[i] = 1;
        at += (size_t)lengths[i];
    }
    return PQsendQueryParams(link, statement, count, types, values, lengths, formats, 1);
}
