// What the program does, by its first argument.

#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdint.h>

// Every function, with good input and with bad.
void run_checks(void);

// Eight threads edit, with each strategy and with a core, for so long each.
void run_workers(double seconds, double speed);

// Two threads make so many edits, and the observer follows.
void run_edits(uint64_t count);

// Random calls with random handles, indices and bytes, on the main thread and three others.
void run_random(uint64_t calls, uint64_t seed);

#endif
