/* What the baselines have in common: the texts, the clock and the report.
 *
 * A file of texts has one to a line; a newline within a text is written \n and a backslash \\. Texts before FIRST warm
 * the caches and are not counted; then COUNT texts are measured, each of them once. Both stop after SECONDS. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct text {
    const char *bytes;
    int length;
};

struct texts {
    struct text *items;
    long count;
};

static void fail(const char *what, const char *which) {
    fprintf(stderr, "%s: %s\n", which, what);
    exit(1);
}

static char *contents(const char *path, long *size) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0 || (*size = ftell(file)) < 0) fail("cannot be read", path);
    rewind(file);
    char *bytes = malloc((size_t)*size + 1);
    if (!bytes || fread(bytes, 1, (size_t)*size, file) != (size_t)*size) fail("cannot be read", path);
    fclose(file);
    return bytes;
}

/* Takes the escapes out where they are; a text only becomes shorter. */
static int unescape(char *bytes, char *end) {
    char *out = bytes;
    for (char *in = bytes; in < end; in++) {
        int is_escape = *in == '\\' && in + 1 < end;
        if (is_escape) in++;
        *out++ = is_escape && *in == 'n' ? '\n' : *in;
    }
    return (int)(out - bytes);
}

static struct texts read_texts(const char *path) {
    long size;
    char *bytes = contents(path, &size), *end = bytes + size;
    struct texts texts = {NULL, 0};
    for (char *line = bytes; line < end;) {
        char *newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline) newline = end;
        if (texts.count % 1024 == 0)
            texts.items = realloc(texts.items, (size_t)(texts.count + 1024) * sizeof *texts.items);
        if (!texts.items) fail("too large", path);
        texts.items[texts.count++] = (struct text){line, unescape(line, newline)};
        line = newline + 1;
    }
    return texts;
}

/* The time that this thread had a processor, so that other work on the machine does not count. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Lines found so far and everything that was read of them, so that no compiler may leave the work out. */
struct work {
    long lines;
    uint64_t checksum;
};

static void add(struct work *work, int64_t value) {
    work->checksum = (work->checksum ^ (uint64_t)value) * 1099511628211u;
}

typedef void (*measure)(void *engine, struct text text, struct work *work);

/* Returns how many of the texts were measured before the time was over. */
static long measure_all(measure one, void *engine, struct text *texts, long count, double seconds, struct work *work) {
    double end = now() + seconds;
    for (long done = 0; done < count; done++) {
        if (now() >= end) return done;
        one(engine, texts[done], work);
    }
    return count;
}

static void benchmark(measure one, void *engine, struct texts texts, double seconds, long first, long count) {
    if (first < 0 || first > texts.count) first = texts.count;
    if (count < 0 || count > texts.count - first) count = texts.count - first;
    struct work ignored = {0, 0}, work = {0, 0};
    measure_all(one, engine, texts.items, first, seconds, &ignored);
    double start = now();
    long messages = measure_all(one, engine, texts.items + first, count, seconds, &work);
    double taken = now() - start;
    printf("{\"messages\":%ld,\"seconds\":%.6f,\"messages_per_second\":%.1f,\"lines\":%ld,\"checksum\":%llu}\n", messages,
           taken, taken > 0 ? (double)messages / taken : 0, work.lines, (unsigned long long)work.checksum);
}
