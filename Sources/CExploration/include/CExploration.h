// The explorer's hold on the system and on the runtime of Swift's tasks. These functions exist only with the trait
// `Exploration`.

#ifndef CEXPLORATION_H
#define CEXPLORATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Each image has its own copy, as with `CInterlock.h`.
#if defined(__linux__) && defined(EXPLORATION_MODULE)
#pragma GCC visibility push(protected)
#endif

// Where a task goes on: a function, and what the function gets as its asynchronous context.
typedef struct {
    uintptr_t function;
    uintptr_t context;
} interlock_resume_point;

// A change of executor: where the task goes on, and the executor as the runtime passes it.
typedef struct {
    interlock_resume_point resume;
    uintptr_t identity;
    uintptr_t implementation;
} interlock_task_switch;

// The explorer's actions when the runtime of Swift's tasks works on one of its threads. Jobs, tasks and actors
// are addresses.
typedef struct {
    // The executor of the main actor, as the runtime passes it.
    uintptr_t main_executor;
    uintptr_t main_executor_implementation;
    // Runs a job later, on the pool of threads.
    void (*enqueue)(uintptr_t job);
    // Waits until the calling task may enter an actor.
    void (*will_enter)(interlock_task_switch next);
    // Notes that the calling task gives up its actor.
    void (*will_leave)(interlock_task_switch next);
    // Waits until the calling task, which has given up its actor, may go on; returns the argument of `will_leave`.
    interlock_task_switch (*did_leave)(void);
    // Says whether no other thread may run between the calling thread's steps.
    void (*set_undivided)(bool is_undivided);
    // Waits until a mutex that another explored thread holds was unlocked; false if the calling thread must wait itself.
    bool (*wait_for_mutex)(uintptr_t mutex);
    // Notes that the calling thread has unlocked a mutex.
    void (*did_unlock)(uintptr_t mutex);
    // Notes that the thread gets to know of what happened before the last `release` of an object; `starts_job`
    // says that the object is a job that starts.
    void (*acquire)(uintptr_t object, bool starts_job);
    void (*release)(uintptr_t object);
    // Lets other threads run, because the calling thread is about to read a reference that does not keep its
    // object alive.
    void (*will_load_reference)(void);
    // Lets other threads run if the calling thread has found a task not cancelled since its last step, and is about to
    // check again.
    void (*will_check_cancellation)(void);
    void (*did_check_cancellation)(bool is_cancelled);
} interlock_task_hooks;

// Passes the jobs of explored threads to the given functions from now on; false if the runtime has no such hooks.
bool interlock_explore_tasks(const interlock_task_hooks *hooks);

// Calls `action`, which must not return, where an explored thread traps; other threads trap as before.
void interlock_catch_traps(void (*action)(void));
void interlock_stop_catching_traps(void);

// A number that no other task has.
uint64_t interlock_job_number(uintptr_t job);

// The kind of a job: 0 for a task, 192 and more for those of the runtime.
uint8_t interlock_job_kind(uintptr_t job);

// The actor of a job that runs an actor's queue.
uintptr_t interlock_job_actor(uintptr_t job);

// Where the job of a task goes on.
interlock_resume_point interlock_job_resume_point(uintptr_t job);

// Calls `body`, which captures its stack, as if a task's function at the given point had called it; as usual if the
// point is 0.
void interlock_capture(interlock_resume_point point, void (*body)(void *argument), void *argument);

// Runs a job on the calling thread.
void interlock_run_job(uintptr_t job, bool on_main_actor);

// The processors on which a thread may run.
typedef struct {
    unsigned long set[16];
} interlock_processors;

// Keeps the calling thread on the processor that runs it now, and returns the processors on which it may run.
// Threads that it creates inherit this. Without effect where the system can't do it.
interlock_processors interlock_stay_on_processor(void);
void interlock_set_processors(interlock_processors processors);

// Lets each object that an explored thread allocates from now on begin a line of memory, of 64 bytes, and calls
// `did_allocate` with its address and size. Without effect outside of Linux.
void interlock_align_objects(void (*did_allocate)(uintptr_t object, size_t size));

#if defined(__linux__) && defined(EXPLORATION_MODULE)
#pragma GCC visibility pop
#endif

#endif
