// What a call of the package costs: the counts of the calls that the program's own code makes to the system and to the runtime.
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdint.h>

enum { COSTS_THREADS, COSTS_SLEEPS, COSTS_WAKE_UPS, COSTS_WOKEN_TOGETHER, COSTS_CALLS, COSTS_YIELDS, COSTS_ALLOCATIONS, COSTS_JOBS, COSTS_EVALUATIONS, COSTS_COUNTERS };

// `COSTS_WOKEN_TOGETHER` is the greatest number of threads that one wake-up has woken.
// Whether calls count, from all threads. The counters begin at 0.
void costs_begin(void);
void costs_end(void);
long costs_count(int counter);
// Whether calls of the calling thread do not count, because they are the scenario's own.
void costs_leave(int leaves);
// Whether only the allocations of the calling thread count, until this is called with 0.
void costs_count_own_allocations(int is_own);
// Counts an evaluation of a predicate.
void costs_evaluate(void);

// Threads of the scenarios, which do not count. `index` is below `COSTS_MOST_THREADS`.
enum { COSTS_MOST_THREADS = 1024 };
void costs_start_thread(int index, void (*run)(void *context), void *context);
void costs_join_thread(int index);
// Waits until the thread sleeps in a wait of the package.
void costs_wait_until_asleep(int index);
// Waits until all threads but the calling one sleep, also those of the package.
void costs_wait_until_others_sleep(void);
void costs_sleep(long microseconds);

// From now on, a timed wait of the calling thread ends at once, and its clock is at the wait's deadline then.
void costs_skip_waits(int skips);

// Passes all jobs of tasks to `costs_run_jobs`; 0 if the runtime has no such hook.
int costs_take_jobs(void);
// Runs jobs on the calling thread until there are none.
void costs_run_jobs(void);

// The instructions that the calling thread executes between the two calls; -1 without `Steps.c`.
void costs_begin_steps(void);
long costs_end_steps(void);

// The control that the environment variable COSTS_CONTROL names costs what the package must not.
void costs_control(long passes);

#endif
