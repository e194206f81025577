// The programs in `rows-in-c`. The first argument of `rows-in-c` selects one of them.

#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdint.h>

// Calls every function of the interface with valid and invalid arguments, and checks the results. With a
// name, runs only the check in the lists below that has it.
void run_checks(const char *name);

typedef struct {
    const char *name;
    void (*run)(void);
} named_check;

// The checks in lives.c, and a null name at the end.
extern const named_check life_checks[];

// The checks in promises.c, and a null name at the end.
extern const named_check promise_checks[];

// Lets eight threads edit a model of each strategy, and then a core, for `seconds` each.
void run_workers(double seconds, double speed);

// Lets two threads make `count` edits, while an observer follows them.
void run_edits(uint64_t count);

// Makes random calls with random handles, indices and bytes, on the main thread and three others.
void run_random(uint64_t calls, uint64_t seed);

// Makes `rounds` models with observers and cores, and ends them in random orders on several threads.
void run_orders(uint64_t rounds, uint64_t seed);

#endif
