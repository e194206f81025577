#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "CAllocationCounter.h"

#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

// glibc's own allocation functions, under names that a program with its own `malloc` can call.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_int counting;
static atomic_int_least64_t allocations;
static atomic_int_least64_t bytes;

static inline int is_counting(void) {
    return __builtin_expect(atomic_load_explicit(&counting, memory_order_relaxed), 0);
}

// The usable size of a block for a request of `size` bytes, without the 16 further bytes that glibc may add
// if it has no free piece of exactly the right size. These bytes are not counted, because whether a block has
// them varies from run to run.
static int64_t usable(size_t size) {
    size_t chunk = (size + sizeof(size_t) + 15) & ~(size_t)15;
    return (int64_t)((chunk < 32 ? 32 : chunk) - sizeof(size_t));
}

static void *counted(void *block, size_t size) {
    if (is_counting() && block != NULL) {
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&bytes, usable(size), memory_order_relaxed);
    }
    return block;
}

static void uncount(void *block) {
    if (is_counting() && block != NULL) {
        atomic_fetch_sub_explicit(&bytes, (int64_t)malloc_usable_size(block), memory_order_relaxed);
    }
}

void *malloc(size_t size) { return counted(__libc_malloc(size), size); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size), count * size); }

void *realloc(void *block, size_t size) {
    if (!is_counting()) {
        return __libc_realloc(block, size);
    }
    int64_t before = block == NULL ? 0 : (int64_t)malloc_usable_size(block);
    void *result = __libc_realloc(block, size);
    if (result != NULL || size == 0) {
        // A reallocation counts even if the block did not move, because its owner requested memory.
        atomic_fetch_add_explicit(&allocations, result != NULL, memory_order_relaxed);
        atomic_fetch_add_explicit(&bytes, (result == NULL ? 0 : usable(size)) - before, memory_order_relaxed);
    }
    return result;
}

void free(void *block) {
    uncount(block);
    __libc_free(block);
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size), size); }

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size), size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    void *block = counted(__libc_memalign(alignment, size), size);
    if (block == NULL) {
        return ENOMEM;
    }
    *result = block;
    return 0;
}

int allocation_counting_is_available(void) { return 1; }

void allocation_counting_start(void) {
    atomic_store(&allocations, 0);
    atomic_store(&bytes, 0);
    atomic_store(&counting, 1);
}

allocation_count allocation_counting_stop(void) {
    atomic_store(&counting, 0);
    return (allocation_count){atomic_load(&allocations), atomic_load(&bytes)};
}

#else

int allocation_counting_is_available(void) { return 0; }

void allocation_counting_start(void) {}

allocation_count allocation_counting_stop(void) { return (allocation_count){0, 0}; }

#endif
