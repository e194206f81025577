// A table of waiting threads, in portable pthreads. On Linux only its tests compile it (Tests/CParkingTable).
#if defined(__APPLE__) || defined(INTERLOCK_PARKING_TABLE)

#define _GNU_SOURCE
#include "CInterlock.h"
#include "ParkingTable.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

// An address belongs to one bucket. The bucket's list has the threads that wait on its addresses, in the order in which
// they came. Each thread sleeps on a condition of its own.
//
// No wake-up is lost. A waiting thread compares the word and joins the list while it holds the bucket's mutex. A waking
// thread has changed the word before it acquires that mutex. If it acquires the mutex first, the other thread sees the
// changed word. Otherwise it finds the other thread in the list.
struct waiter {
    const uint32_t *address;
    pthread_cond_t condition;
    bool is_woken;
    struct waiter *next, *previous;
};

struct bucket {
    pthread_mutex_t mutex;
    struct waiter *first, *last;
};

#define BUCKETS_LOG2 6
#define BUCKETS (1 << BUCKETS_LOG2)

static struct bucket buckets[BUCKETS];
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

// During `fork` the forking thread holds all mutexes, so no list is half changed in the child.
static void lock_all(void) {
    for (int i = 0; i < BUCKETS; i++) pthread_mutex_lock(&buckets[i].mutex);
}

static void unlock_all(void) {
    for (int i = 0; i < BUCKETS; i++) pthread_mutex_unlock(&buckets[i].mutex);
}

// The threads in the lists don't exist in the child.
static void forget_all(void) {
    for (int i = 0; i < BUCKETS; i++) buckets[i].first = buckets[i].last = NULL;
    unlock_all();
}

static void prepare(void) {
    for (int i = 0; i < BUCKETS; i++) {
        if (pthread_mutex_init(&buckets[i].mutex, NULL) != 0) interlock_trap_refused("a mutex or a condition variable");
    }
    if (pthread_atfork(lock_all, unlock_all, forget_all) != 0) interlock_trap_refused("a fork handler");
}

// Acquires the mutex of the bucket for `address`.
static struct bucket *lock_bucket(const uint32_t *address) {
    pthread_once(&prepared, prepare);
    // Multiplicative hashing: 2^64 divided by the golden ratio.
    uint64_t hash = (uint64_t)(uintptr_t)address * 0x9E3779B97F4A7C15u;
    struct bucket *bucket = &buckets[hash >> (64 - BUCKETS_LOG2)];
    pthread_mutex_lock(&bucket->mutex);
    return bucket;
}

static void append(struct bucket *bucket, struct waiter *waiter) {
    waiter->next = NULL;
    waiter->previous = bucket->last;
    if (bucket->last == NULL) bucket->first = waiter; else bucket->last->next = waiter;
    bucket->last = waiter;
}

static void unlink_waiter(struct bucket *bucket, struct waiter *waiter) {
    if (waiter->previous == NULL) bucket->first = waiter->next; else waiter->previous->next = waiter->next;
    if (waiter->next == NULL) bucket->last = waiter->previous; else waiter->next->previous = waiter->previous;
}

// The condition's clock is that of `interlock_monotonic_ns`.
static void make_condition(pthread_cond_t *condition) {
    pthread_condattr_t *attributes = NULL;
#if !defined(__APPLE__)
    pthread_condattr_t monotonic;
    attributes = &monotonic;
    pthread_condattr_init(attributes);
    pthread_condattr_setclock(attributes, CLOCK_MONOTONIC);
#endif
    if (pthread_cond_init(condition, attributes) != 0) interlock_trap_refused("a mutex or a condition variable");
#if !defined(__APPLE__)
    pthread_condattr_destroy(attributes);
#endif
}

// Sleeps on the waiter's condition. Returns false if the deadline has passed. The sleep may end early.
static bool sleep_until(uint64_t deadline_ns, struct waiter *waiter, pthread_mutex_t *mutex) {
    if (deadline_ns == UINT64_MAX) {
        pthread_cond_wait(&waiter->condition, mutex);
        return true;
    }
    uint64_t now_ns = interlock_monotonic_ns();
    if (now_ns >= deadline_ns) return false;
#if defined(__APPLE__)
    uint64_t time_ns = deadline_ns - now_ns;
#else
    uint64_t time_ns = deadline_ns;
#endif
    struct timespec time = {
        .tv_sec = (time_t)(time_ns / 1000000000u),
        .tv_nsec = (long)(time_ns % 1000000000u),
    };
#if defined(__APPLE__)
    pthread_cond_timedwait_relative_np(&waiter->condition, mutex, &time);
#else
    pthread_cond_timedwait(&waiter->condition, mutex, &time);
#endif
    return true;
}

int interlock_parking_wait(const uint32_t *address, uint32_t expected, uint64_t deadline_ns) {
    struct bucket *bucket = lock_bucket(address);
    // As in a futex call, the load comes after all earlier sequentially consistent operations of this thread.
    if (__atomic_load_n(address, __ATOMIC_SEQ_CST) != expected) {
        pthread_mutex_unlock(&bucket->mutex);
        return EAGAIN;
    }
    struct waiter waiter = {.address = address, .is_woken = false};
    make_condition(&waiter.condition);
    append(bucket, &waiter);
    while (!waiter.is_woken && sleep_until(deadline_ns, &waiter, &bucket->mutex)) {}
    bool is_woken = waiter.is_woken;
    if (!is_woken) unlink_waiter(bucket, &waiter);
    // The waking thread used the condition while it held the mutex, and does not use it again.
    pthread_mutex_unlock(&bucket->mutex);
    pthread_cond_destroy(&waiter.condition);
    return is_woken ? 0 : ETIMEDOUT;
}

int interlock_parking_wake(const uint32_t *address, int32_t count) {
    struct bucket *bucket = lock_bucket(address);
    int woken = 0;
    struct waiter *next;
    for (struct waiter *waiter = bucket->first; waiter != NULL && woken < count; waiter = next) {
        next = waiter->next;
        if (waiter->address != address) continue;
        unlink_waiter(bucket, waiter);
        waiter->is_woken = true;
        pthread_cond_signal(&waiter->condition);
        woken++;
    }
    pthread_mutex_unlock(&bucket->mutex);
    return woken;
}

#endif
