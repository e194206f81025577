// Apart from LinuxDescriptors.c, because a program contains each object file as a whole of which it needs a function.
#if defined(__linux__)

#include "CInterlock.h"

// libdispatch replaces a signal's action when it first watches for the signal, and leaves its own there forever: that one
// keeps the signal for the thread that reads it, which no longer does without a source. So the end of the last source
// restores the action. libdispatch would not replace it for a later source, so the beginning of that one does.

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// The action of libdispatch, one for all signals; `SIG_DFL` until it is known.
static struct sigaction watching;
static struct {
    uint32_t sources;
    // Before the first of these sources.
    struct sigaction earlier;
} signals[NSIG];

static bool is_known(void) { return watching.sa_handler != SIG_DFL; }

static void learn_from(const struct sigaction *action) {
    if (!is_known() && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) watching = *action;
}

// libdispatch replaces the action of a source that was cancelled immediately, too, and does not say when it has.
static void restore(int number) {
    struct sigaction current;
    if (sigaction(number, NULL, &current) != 0) return;
    if (current.sa_handler != signals[number].earlier.sa_handler) learn_from(&current);
    if (signals[number].sources == 0 && is_known() && current.sa_handler == watching.sa_handler) {
        sigaction(number, &signals[number].earlier, NULL);
    }
}

void interlock_will_watch_signal(int32_t number) {
    pthread_mutex_lock(&mutex);
    if (signals[number].sources++ == 0) {
        sigaction(number, NULL, &signals[number].earlier);
        if (is_known()) sigaction(number, &watching, NULL);
    }
    pthread_mutex_unlock(&mutex);
}

void interlock_did_watch_signal(int32_t number) {
    struct sigaction current;
    pthread_mutex_lock(&mutex);
    if (sigaction(number, NULL, &current) == 0) learn_from(&current);
    pthread_mutex_unlock(&mutex);
}

void interlock_end_watching_signal(int32_t number) {
    pthread_mutex_lock(&mutex);
    signals[number].sources--;
    restore(number);
    pthread_mutex_unlock(&mutex);
}

void interlock_did_end_watching_signal(int32_t number) {
    pthread_mutex_lock(&mutex);
    restore(number);
    pthread_mutex_unlock(&mutex);
}

#endif
