// Functions that count the instructions of the calling thread, and return the thread's number in the kernel.
// They are in C because Swift can't call the variadic `syscall`, and lacks thread-local variables, in which
// each thread keeps its counter.

#ifndef CBENCHMARKCOUNTERS_H
#define CBENCHMARKCOUNTERS_H

#include <stdint.h>

// Returns the number of instructions that the calling thread has executed outside the kernel since its first
// call of this function. The result is a negated errno value if the system does not count instructions for
// this process. A thread's counter is never closed, so each calling thread costs a file descriptor.
int64_t benchmark_instructions(void);

// Returns the kernel's number of the calling thread, as from `gettid`; 0 on systems other than Linux.
int64_t benchmark_thread(void);

#endif
