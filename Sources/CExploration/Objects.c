// The places of objects in memory. Empty without the trait `Exploration`.
#if defined(INTERLOCK_EXPLORATION)
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CExploration.h"
#include "CInterlock.h"

#include <dlfcn.h>
#include <stdatomic.h>

typedef void (*allocated)(uintptr_t object, size_t size);

static _Atomic(allocated) hook;

void interlock_align_objects(allocated did_allocate) { atomic_store_explicit(&hook, did_allocate, memory_order_relaxed); }

#if defined(__linux__)
typedef void *(*allocate)(const void *type, size_t size, size_t alignment_mask);

/// The runtime's function, of which code that is linked with this package calls this one instead.
///
/// The runtime frees memory of each alignment in the same way.
void *swift_allocObject(const void *type, size_t size, size_t alignment_mask) {
    static _Atomic(allocate) runtime;
    allocate original = atomic_load_explicit(&runtime, memory_order_relaxed);
    if (original == NULL) {
        original = (allocate)dlsym(RTLD_NEXT, "swift_allocObject");
        atomic_store_explicit(&runtime, original, memory_order_relaxed);
    }
    allocated did_allocate = atomic_load_explicit(&hook, memory_order_relaxed);
    if (did_allocate == NULL || interlock_explored_thread() == NULL) return original(type, size, alignment_mask);
    void *object = original(type, size, alignment_mask | 63);
    did_allocate((uintptr_t)object, size);
    return object;
}
#endif
#endif
