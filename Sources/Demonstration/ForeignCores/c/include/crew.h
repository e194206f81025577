// Threads that edit rows, in C: the counterpart of the row model's own workers.

#ifndef CREW_H
#define CREW_H

#include "interlock_rows_core.h"

typedef struct crew crew;

// Makes an edit. The threads of a crew call this function concurrently, with the `context` that was passed to
// `crew_start`. They ignore the result.
typedef interlock_rows_status (*crew_edit)(void *context, const interlock_rows_edit *edit);

// Starts `settings->count` threads that make edits by calling `edit`; returns NULL if the system refuses.
// Each thread first inserts a row. Then it repeats these steps: it sleeps 1 to 4 seconds divided by the
// speed, ends if the crew was stopped, and inserts (20 %), removes (10 %) or modifies (70 %) a random row.
crew *crew_start(const interlock_rows_crew *settings, crew_edit edit, void *context);

// Wakes, stops and joins the threads, and frees the crew. Does nothing with NULL. A thread of the crew must
// not call `crew_stop`, which would wait for that thread.
void crew_stop(crew *crew);

// The number of running threads.
size_t crew_running(crew *crew);

// Advances the random number generator SplitMix64, and returns its next number.
uint64_t crew_random(uint64_t *state);

#endif
