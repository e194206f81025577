#if defined(__linux__)

#define _GNU_SOURCE
#include "CInterlock.h"

#include <stdlib.h>

void *interlock_rwlock_create(void) {
    pthread_rwlock_t *lock = malloc(sizeof *lock);
    if (lock == NULL) return NULL;
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
#if defined(__GLIBC__)
    // This setting prefers writers. By default, and always with musl, which lacks the setting, overlapping
    // readers starve writers.
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
    int result = pthread_rwlock_init(lock, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    if (result == 0) return lock;
    free(lock);
    return NULL;
}

void interlock_rwlock_destroy(void *lock) {
    pthread_rwlock_destroy(lock);
    free(lock);
}

#endif
