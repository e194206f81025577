// Counts processor instructions, and numbers threads. This code is in C because Swift can't call the variadic
// system call, and has no thread-local variable for each thread's counter.

#ifndef CBENCHMARKCOUNTERS_H
#define CBENCHMARKCOUNTERS_H

#include <stdint.h>

// Returns the number of instructions that the calling thread has executed outside the kernel since its first
// call. The result is a negated errno value if the system does not count instructions for this process. A
// thread's counter is never closed.
int64_t benchmark_instructions(void);

// Returns the number under which the system lists the calling thread; 0 if it lists no threads by number.
int64_t benchmark_thread(void);

#endif
