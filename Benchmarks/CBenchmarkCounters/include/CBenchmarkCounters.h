// What Swift can't express: the system call that counts instructions is variadic, and each thread has a
// counter.

#ifndef CBENCHMARKCOUNTERS_H
#define CBENCHMARKCOUNTERS_H

#include <stdint.h>

// The instructions that the calling thread has executed outside the kernel since its first call. A negated
// errno value if the system does not count them for this process. A thread's counter is never closed.
int64_t benchmark_instructions(void);

#endif
