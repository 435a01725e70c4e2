// Counts by standing in front of the allocator of the system. It is part of the tests alone.
#include "CAllocations.h"

#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local uint64_t allocations;

uint64_t forme_allocations(void) { return allocations; }

// The address sanitizer asks for memory before it has any of its own, and would begin with this one, which it watches, too.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

bool forme_counts_allocations(void) { return false; }

#else

bool forme_counts_allocations(void) { return true; }

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    allocations++;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12;  // ENOMEM
}

#endif
