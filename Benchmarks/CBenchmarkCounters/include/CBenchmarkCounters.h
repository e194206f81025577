// What Swift can't say: the system call that counts instructions is variadic, and the counter belongs to a
// thread.

#ifndef CBENCHMARKCOUNTERS_H
#define CBENCHMARKCOUNTERS_H

#include <stdint.h>

// Instructions that the calling thread has executed outside the kernel since it first asked; or an errno
// value, negated, where the system does not count them, or not for this process. A thread's counter lives as
// long as the process.
int64_t benchmark_instructions(void);

#endif
