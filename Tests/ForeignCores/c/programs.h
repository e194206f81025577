// The programs in `rows-in-c`. The first argument of `rows-in-c` selects one of them.

#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdint.h>

// Calls every function of the interface with valid and invalid arguments, and checks the results.
void run_checks(void);

// Lets eight threads edit a model of each strategy, and then a core, for `seconds` each.
void run_workers(double seconds, double speed);

// Lets two threads make `count` edits, while an observer follows them.
void run_edits(uint64_t count);

// Makes random calls with random handles, indices and bytes, on the main thread and three others.
void run_random(uint64_t calls, uint64_t seed);

#endif
