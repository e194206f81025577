// Waiting on an address, for systems of Apple before macOS 14.4 and its like.

#ifndef INTERLOCK_PARKING_TABLE_H
#define INTERLOCK_PARKING_TABLE_H

#include <stdint.h>

// The same as `interlock_futex_wait` and `interlock_futex_wake`. All waits and wake-ups of an address have to use the
// same pair of functions.
int interlock_parking_wait(const uint32_t *address, uint32_t expected, uint64_t deadline_ns);
int interlock_parking_wake(const uint32_t *address, int32_t count);

#endif
