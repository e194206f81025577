#include "CInterlock.h"

#include <stdlib.h>

#define NO_RECORD ((void *)no_record)

static const uintptr_t no_record[8] = {3, 2, 2, 2, 2, 2, 2, 3};

#if defined(__APPLE__)
_Thread_local void *interlock_thread_record_slot = NO_RECORD;
#else
_Thread_local void *interlock_thread_record_slot __attribute__((tls_model("initial-exec"))) = NO_RECORD;
#endif

static pthread_key_t key;
static void (*detach_record)(void *record);

// pthreads calls this when a thread ends, and once more when a destructor that ran later has set the key again: four times
// at most (PTHREAD_DESTRUCTOR_ITERATIONS). A record that is attached after the last time stays, empty, until the process ends.
static void thread_ends(void *record) {
    interlock_thread_record_slot = NO_RECORD;
    detach_record(record);
}

void interlock_set_thread_record_detach(void (*detach)(void *record)) {
    detach_record = detach;
    if (pthread_key_create(&key, thread_ends) != 0) abort();
}

void interlock_set_thread_record(void *record) {
    if (pthread_setspecific(key, record) != 0) abort();
    interlock_thread_record_slot = record;
}
