#ifndef FORME_ALLOCATIONS_H
#define FORME_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether anything is counted: sanitizers stand in front of the allocator themselves.
bool forme_counts_allocations(void);

/// How often this thread has asked for memory.
uint64_t forme_allocations(void);

#endif
