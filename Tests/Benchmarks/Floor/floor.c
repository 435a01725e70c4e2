// What a machine gives without Forme: the rows that no durable pool of this shape can leave unwritten, and pages of bytes
// answered from memory. Forme is measured beside it, in the same run.
//
//   forme-baseline-floor rows FOLDER MESSAGES CONVERSATIONS FULL|NORMAL EVENT LAYOUT MEASURED
//   forme-baseline-floor tables FOLDER MESSAGES CONVERSATIONS LAYOUT MEASURED
//   forme-baseline-floor pages ENDPOINT QUESTIONS SECONDS CONNECTIONS DEPTH BYTES
//   forme-baseline-floor ask ENDPOINT QUESTIONS SECONDS CONNECTIONS DEPTH
//
// rows: one process journals events, with an index that finds duplicates, and retires them later; another stores results, with
// an index in the order of conversations. Both write 200 to a transaction, at the same time. Prints a JSON object: messages a
// second, and seconds of processor time, of each.
//
// tables: the same results in two forms: blobs under rising numbers with a narrow index in the order of conversations, or all of
// it in one table of that order. Prints microseconds of processor time to store a message, and to read the last 50 of a
// conversation, and bytes of the file to a message.
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#define PER_TRANSACTION 200
#define RETIRED_AFTER 10

struct speed { double rate, processor; };

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fail(const char *what) {
    fprintf(stderr, "floor: %s\n", what);
    exit(1);
}

static void sql(sqlite3 *file, const char *format, ...) {
    va_list values;
    va_start(values, format);
    char *text = sqlite3_vmprintf(format, values), *problem = NULL;
    va_end(values);
    if (sqlite3_exec(file, text, NULL, NULL, &problem)) fail(problem);
    sqlite3_free(text);
}

// Binds what `types` says (i an integer, b a pointer and its length), and runs to the end.
static void put(sqlite3_stmt *statement, const char *types, ...) {
    va_list values;
    va_start(values, types);
    for (int column = 1; *types; types++, column++) {
        if (*types == 'i') {
            sqlite3_bind_int64(statement, column, va_arg(values, long));
        } else {
            const void *bytes = va_arg(values, const void *);
            sqlite3_bind_blob(statement, column, bytes, va_arg(values, int), SQLITE_STATIC);
        }
    }
    va_end(values);
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_errmsg(sqlite3_db_handle(statement)));
    sqlite3_reset(statement);
}

static sqlite3_stmt *prepared(sqlite3 *file, const char *text) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(file, text, -1, &statement, NULL)) fail(sqlite3_errmsg(file));
    return statement;
}

static sqlite3 *fresh(const char *folder, const char *name, const char *sync) {
    char *path = sqlite3_mprintf("%s/%s", folder, name);
    sqlite3 *file;
    unlink(path);
    if (sqlite3_open(path, &file)) fail(path);
    sql(file, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = %s; "
              "PRAGMA cache_size = -65536; PRAGMA journal_size_limit = 67108864", sync);
    sqlite3_free(path);
    return file;
}

// Conversations come in no order.
static long conversation(long message, long conversations) {
    return (long)((unsigned)message * 2654435761u % (unsigned long)conversations);
}

static struct speed since(double wall, double processor, long messages) {
    return (struct speed){messages / (seconds(CLOCK_MONOTONIC) - wall), seconds(CLOCK_PROCESS_CPUTIME_ID) - processor};
}

static struct speed journal(const char *folder, const char *sync, long messages, long conversations, int event) {
    sqlite3 *file = fresh(folder, "events.db", sync);
    sql(file, "CREATE TABLE events (number INTEGER PRIMARY KEY, conversation, message, waits, bytes BLOB);"
              "CREATE UNIQUE INDEX known ON events (conversation, message)");
    sqlite3_stmt *insert = prepared(file, "INSERT INTO events VALUES (?, ?, ?, 1, ?)");
    sqlite3_stmt *retire = prepared(file, "UPDATE events SET waits = 0 WHERE number >= ? AND number < ?");
    char *bytes = calloc(1, (size_t)event);
    double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long next = 0; next < messages;) {
        sql(file, "BEGIN IMMEDIATE");
        for (int i = 0; i < PER_TRANSACTION; i++, next++)
            put(insert, "iiib", next, conversation(next, conversations), next, bytes, event);
        long done = next - RETIRED_AFTER * PER_TRANSACTION;
        if (done > 0) put(retire, "ii", done - PER_TRANSACTION, done);
        sql(file, "COMMIT");
    }
    return since(wall, processor, messages);
}

static struct speed results(const char *folder, long messages, long conversations, int layout, int measured) {
    sqlite3 *file = fresh(folder, "results.db", "NORMAL");
    sql(file, "CREATE TABLE results (number INTEGER PRIMARY KEY, layout BLOB, measured BLOB);"
              "CREATE TABLE places (conversation INTEGER, position INTEGER, message INTEGER, number INTEGER, stamp INTEGER,"
              " PRIMARY KEY (conversation, position, message)) WITHOUT ROWID");
    sqlite3_stmt *result = prepared(file, "REPLACE INTO results VALUES (?, ?, ?)");
    sqlite3_stmt *place = prepared(file, "REPLACE INTO places VALUES (?, ?, ?, ?, ?)");
    char *bytes = calloc(1, (size_t)(layout + measured));
    double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long next = 0; next < messages;) {
        sql(file, "BEGIN IMMEDIATE");
        for (int i = 0; i < PER_TRANSACTION; i++, next++) {
            put(result, "ibb", next, bytes, layout, bytes, measured);
            put(place, "iiiii", conversation(next, conversations), next, next, next, next);
        }
        sql(file, "COMMIT");
    }
    return since(wall, processor, messages);
}

static int rows(char **word) {
    long messages = atol(word[1]) / PER_TRANSACTION * PER_TRANSACTION, conversations = atol(word[2]);
    struct speed stored;
    int ends[2];
    if (pipe(ends)) fail("no pipe");
    if (fork() == 0) {
        stored = results(word[0], messages, conversations, atoi(word[5]), atoi(word[6]));
        _exit(write(ends[1], &stored, sizeof stored) != sizeof stored);
    }
    struct speed kept = journal(word[0], word[3], messages, conversations, atoi(word[4]));
    if (read(ends[0], &stored, sizeof stored) != sizeof stored) fail("the other process ended early");
    wait(NULL);
    printf("{\"messages\": %ld, \"journal\": %.1f, \"journal_processor\": %.4f, \"results\": %.1f, "
           "\"results_processor\": %.4f}\n", messages, kept.rate, kept.processor, stored.rate, stored.processor);
    return 0;
}

static const char *const separate[] = {
    "CREATE TABLE results (number INTEGER PRIMARY KEY, layout BLOB, measured BLOB); CREATE TABLE places (conversation INTEGER, "
    "position INTEGER, message BLOB, number INTEGER, PRIMARY KEY (conversation, position, message)) WITHOUT ROWID",
    "INSERT INTO results VALUES (?1, ?4, ?5)",
    "INSERT INTO places VALUES (?2, ?1, ?3, ?1)",
    "SELECT length(layout) FROM places JOIN results USING (number) WHERE conversation = ? ORDER BY position DESC LIMIT 50",
};
static const char *const together[] = {
    "CREATE TABLE results (conversation INTEGER, position INTEGER, message BLOB, number INTEGER, layout BLOB, measured BLOB, "
    "PRIMARY KEY (conversation, position, message)) WITHOUT ROWID",
    "INSERT INTO results VALUES (?2, ?1, ?3, ?1, ?4, ?5)",
    NULL,
    "SELECT length(layout) FROM results WHERE conversation = ? ORDER BY position DESC LIMIT 50",
};

static void bind_all(sqlite3_stmt *statement, long number, long conversations, const char *bytes, int layout, int measured) {
    char name[32];
    int length = snprintf(name, sizeof name, "message-%ld", number);
    sqlite3_bind_int64(statement, 1, number);
    if (sqlite3_bind_parameter_count(statement) >= 3) {
        sqlite3_bind_int64(statement, 2, conversation(number, conversations));
        sqlite3_bind_blob(statement, 3, name, length, SQLITE_TRANSIENT);
    }
    if (sqlite3_bind_parameter_count(statement) >= 5) {
        sqlite3_bind_blob(statement, 4, bytes, layout, SQLITE_STATIC);
        sqlite3_bind_blob(statement, 5, bytes, measured, SQLITE_STATIC);
    }
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_errmsg(sqlite3_db_handle(statement)));
    sqlite3_reset(statement);
}

static void form(const char *name, const char *const *text, char **word) {
    sqlite3 *file = fresh(word[0], "tables.db", "NORMAL");
    long messages = atol(word[1]) / PER_TRANSACTION * PER_TRANSACTION, conversations = atol(word[2]), read = 0;
    int layout = atoi(word[3]), measured = atoi(word[4]);
    sql(file, "%s", text[0]);
    sqlite3_stmt *one = prepared(file, text[1]), *other = text[2] ? prepared(file, text[2]) : NULL;
    sqlite3_stmt *page = prepared(file, text[3]);
    char *bytes = calloc(1, (size_t)(layout + measured));
    double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long next = 0; next < messages;) {
        sql(file, "BEGIN IMMEDIATE");
        for (int i = 0; i < PER_TRANSACTION; i++, next++) {
            bind_all(one, next, conversations, bytes, layout, measured);
            if (other) bind_all(other, next, conversations, bytes, layout, measured);
        }
        sql(file, "COMMIT");
    }
    double stored = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (long i = 0; i < 2000; i++, sqlite3_reset(page)) {
        sqlite3_bind_int64(page, 1, conversation(i * 7919, conversations));
        while (sqlite3_step(page) == SQLITE_ROW) read += sqlite3_column_int64(page, 0);
    }
    double end = seconds(CLOCK_PROCESS_CPUTIME_ID);
    sql(file, "PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite3_stmt *size = prepared(file, "PRAGMA page_count");
    sqlite3_step(size);
    printf("{\"form\": \"%s\", \"store\": %.2f, \"page\": %.1f, \"bytes\": %.0f}\n", name,
           (stored - start) * 1e6 / (double)messages, (end - stored) * 1e6 / 2000,
           8192.0 * (double)sqlite3_column_int64(size, 0) / (double)messages);
    if (read == 0) fail("nothing was read");
}

// What is asked, one of them at a time by chance: in the file each is a length of four bytes, the highest first, and so many bytes.
struct questions { int count, *length; unsigned char **bytes; };

static struct questions read_questions(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail(path);
    struct questions all = {0};
    for (unsigned char head[4]; fread(head, 4, 1, file) == 1; all.count++) {
        size_t length = (size_t)(head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3]);
        all.bytes = realloc(all.bytes, sizeof *all.bytes * (size_t)(all.count + 1));
        all.length = realloc(all.length, sizeof *all.length * (size_t)(all.count + 1));
        all.bytes[all.count] = malloc(length);
        all.length[all.count] = (int)length;
        if (fread(all.bytes[all.count], length, 1, file) != 1) fail("a question is cut off");
    }
    fclose(file);
    if (all.count == 0) fail("there is nothing to ask");
    return all;
}

// Keys from the environment, where they are there: CURVE_SERVER, CURVE_PUBLIC and CURVE_SECRET of who asks,
// CURVE_SERVER_SECRET of who answers.
static void take_key(void *socket, int option, const char *name) {
    const char *key = getenv(name);
    if (key && zmq_setsockopt(socket, option, key, strlen(key) + 1)) fail(name);
}

// An answer of fewer bytes is no page.
#define LEAST_PAGE 512
#define SLOWEST 100000
struct answers { long count, bytes, refusals, took[SLOWEST]; };

// Of who waits for an answer, in milliseconds.
#define PATIENCE 10000

// Keeps `depth` requests on their way until the time is over. The first tenth of it is not counted.
static void ask(struct answers *found, const char *endpoint, const struct questions *all, double time, int depth, int asker) {
    void *socket = zmq_socket(zmq_ctx_new(), ZMQ_DEALER);
    take_key(socket, ZMQ_CURVE_SERVERKEY, "CURVE_SERVER");
    take_key(socket, ZMQ_CURVE_PUBLICKEY, "CURVE_PUBLIC");
    take_key(socket, ZMQ_CURVE_SECRETKEY, "CURVE_SECRET");
    if (zmq_setsockopt(socket, ZMQ_RCVTIMEO, &(int){PATIENCE}, sizeof(int))) fail(zmq_strerror(zmq_errno()));
    if (zmq_connect(socket, endpoint)) fail(zmq_strerror(zmq_errno()));
    double *sent = calloc((size_t)depth, sizeof *sent), start = seconds(CLOCK_MONOTONIC);
    unsigned draw = 2654435761u * (unsigned)(asker + 1);
    for (long turn = 0;; turn++) {
        if (turn >= depth) {
            zmq_msg_t page;
            zmq_msg_init(&page);
            int length = zmq_msg_recv(&page, socket, 0);
            if (length < 0) fail("a question has no answer after ten seconds");
            zmq_msg_close(&page);
            double now = seconds(CLOCK_MONOTONIC);
            long took = (long)((now - sent[turn % depth]) * 1e6);
            if (now - start > time * 1.1) return;
            if (now - start > time * 0.1) {
                found->count++;
                found->bytes += length;
                found->refusals += length < LEAST_PAGE;
                found->took[took < SLOWEST ? took : SLOWEST - 1]++;
            }
        }
        draw ^= draw << 13, draw ^= draw >> 17, draw ^= draw << 5;
        int one = (int)(draw % (unsigned)all->count);
        sent[turn % depth] = seconds(CLOCK_MONOTONIC);
        zmq_send(socket, all->bytes[one], (size_t)all->length[one], 0);
    }
}

// Starts a process for each connection; what they find stands in memory that all share.
static struct answers *start_asking(char **word, int connections) {
    struct questions all = read_questions(word[1]);
    struct answers *found =
        mmap(NULL, sizeof *found * (size_t)connections, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) fail("no memory to share");
    for (int i = 0; i < connections; i++) {
        if (fork()) continue;
        ask(found + i, word[0], &all, atof(word[2]), atoi(word[4]), i);
        _exit(0);
    }
    return found;
}

static long percentile(const struct answers *found, double part) {
    long before = 0;
    for (int took = 0; took < SLOWEST; took++)
        if ((double)(before += found->took[took]) >= part * (double)found->count) return took;
    return SLOWEST;
}

static void print_answers(const struct answers *found, int connections, double time) {
    static struct answers all;
    for (int i = 0; i < connections; i++) {
        all.count += found[i].count, all.bytes += found[i].bytes, all.refusals += found[i].refusals;
        for (int took = 0; took < SLOWEST; took++) all.took[took] += found[i].took[took];
    }
    printf("{\"pages\": %.1f, \"bytes\": %.0f, \"refused\": %ld, \"p50\": %ld, \"p99\": %ld}\n", (double)all.count / time,
           all.count ? (double)all.bytes / (double)all.count : 0, all.refusals, percentile(&all, 0.5), percentile(&all, 0.99));
    // Contexts of which nobody closes the sockets would be waited for.
    fflush(stdout);
    _exit(0);
}

// ENDPOINT QUESTIONS SECONDS CONNECTIONS DEPTH
static int asks(char **word) {
    int connections = atoi(word[3]);
    struct answers *found = start_asking(word, connections);
    for (int i = 0, status; i < connections; i++)
        if (wait(&status) < 0 || status != 0) return 1;
    print_answers(found, connections, atof(word[2]));
    return 0;
}

// The same, and BYTES: a router that answers everything with so many.
static int pages(char **word) {
    int connections = atoi(word[3]), size = atoi(word[5]);
    double time = atof(word[2]);
    struct answers *found = start_asking(word, connections);
    void *router = zmq_socket(zmq_ctx_new(), ZMQ_ROUTER);
    int is_server = getenv("CURVE_SERVER_SECRET") != NULL;
    zmq_setsockopt(router, ZMQ_CURVE_SERVER, &is_server, sizeof is_server);
    take_key(router, ZMQ_CURVE_SECRETKEY, "CURVE_SERVER_SECRET");
    if (zmq_bind(router, word[0])) fail(zmq_strerror(zmq_errno()));
    char *page = calloc(1, (size_t)size), peer[256], question[1024];
    double end = seconds(CLOCK_MONOTONIC) + time * 1.1 + 0.5;
    while (seconds(CLOCK_MONOTONIC) < end) {
        zmq_pollitem_t item = {router, 0, ZMQ_POLLIN, 0};
        if (zmq_poll(&item, 1, 100) < 1) continue;
        for (int length; (length = zmq_recv(router, peer, sizeof peer, ZMQ_DONTWAIT)) >= 0;) {
            zmq_recv(router, question, sizeof question, 0);
            zmq_send(router, peer, (size_t)length, ZMQ_SNDMORE);
            zmq_send(router, page, (size_t)size, 0);
        }
    }
    print_answers(found, connections, time);
    return 0;
}

int main(int count, char **word) {
    if (count == 9 && strcmp(word[1], "rows") == 0) return rows(word + 2);
    if (count == 7 && strcmp(word[1], "ask") == 0) return asks(word + 2);
    if (count == 8 && strcmp(word[1], "pages") == 0) return pages(word + 2);
    if (count == 7 && strcmp(word[1], "tables") == 0) {
        form("separate", separate, word + 2);
        form("together", together, word + 2);
        return 0;
    }
    fail("usage: rows FOLDER MESSAGES CONVERSATIONS FULL|NORMAL EVENT LAYOUT MEASURED, tables FOLDER MESSAGES CONVERSATIONS LAYOUT MEASURED, "
         "ask ENDPOINT QUESTIONS SECONDS CONNECTIONS DEPTH, or pages ENDPOINT QUESTIONS SECONDS CONNECTIONS DEPTH BYTES");
}
