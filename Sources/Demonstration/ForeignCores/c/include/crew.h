// Threads that edit rows, in C: the counterpart of the row model's own workers.

#ifndef CREW_H
#define CREW_H

#include "interlock_rows.h"

typedef struct crew crew;

// Makes an edit, on a thread of the crew.
typedef interlock_rows_status (*crew_edit)(void *context, const interlock_rows_edit *edit);

// Starts so many threads. Each inserts a row at once. Then it sleeps 1 to 4 seconds divided by the speed,
// stops if asked to, and inserts (20 %), removes (10 %) or modifies (70 %) a random row, over and over. NULL
// where the system refuses.
crew *crew_start(const interlock_rows_crew *settings, crew_edit edit, void *context);

// Wakes, stops and joins the threads, and frees the crew. Does nothing with NULL. Not on a thread of the
// crew.
void crew_stop(crew *crew);

// How many of the threads run.
size_t crew_running(crew *crew);

// The next number of the random number generator SplitMix64.
uint64_t crew_random(uint64_t *state);

#endif
