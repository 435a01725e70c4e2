#ifndef FORME_ALLOCATIONS_H
#define FORME_ALLOCATIONS_H

#include <stdint.h>

/// How often this thread has asked for memory.
uint64_t forme_allocations(void);

#endif
