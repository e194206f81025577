#include "CInterlock.h"

// The block of a thread that has no block yet. Its first slot is never vacant, so the fast path finds no slot and
// calls the slow path.
static _Alignas(128) uintptr_t no_block = 1;

#define FIRST_RECORD {.block = (uintptr_t)&no_block, .exchanges = 0}

INTERLOCK_THREAD_LOCAL interlock_hazard_record interlock_this_hazard_record = FIRST_RECORD;

static pthread_key_t key;
static void (*end_of_block)(uintptr_t);
static void (*block_in_child)(uintptr_t);

// Thread-local destructors that run later may read snapshots. The thread then gets blocks again, and the system calls
// this function again, up to PTHREAD_DESTRUCTOR_ITERATIONS times. Blocks of the last round are never given back.
static void end_thread(void *block) {
    interlock_reset_hazard_record();
    end_of_block((uintptr_t)block);
}

static void in_child(void) { block_in_child(interlock_this_hazard_record.block); }

int interlock_prepare_hazard_records(void (*end)(uintptr_t), void (*child)(uintptr_t)) {
    end_of_block = end;
    block_in_child = child;
    interlock_keep_loaded();
    int error = pthread_key_create(&key, end_thread);
    return error != 0 ? error : pthread_atfork(NULL, NULL, in_child);
}

void interlock_set_hazard_block(uintptr_t block, bool exchanges) {
    interlock_this_hazard_record = (interlock_hazard_record){.block = block, .exchanges = exchanges};
}

void interlock_end_hazard_block_with_thread(uintptr_t block) {
    if (pthread_setspecific(key, (void *)block) != 0) interlock_trap_refused("memory for a thread-local value");
}

void interlock_reset_hazard_record(void) {
    interlock_this_hazard_record = (interlock_hazard_record)FIRST_RECORD;
}

void interlock_set_exchanges_hazards(bool exchanges) { interlock_this_hazard_record.exchanges = exchanges; }
