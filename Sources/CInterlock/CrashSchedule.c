#include "CInterlock.h"

// Writes the schedule of an explored execution if the process crashes in it: a trap of Swift, such as an index out of range, ends the
// process, and the explorer cannot report it.
//
// The handler runs on the thread that crashed. Only the thread that has the baton records choices, and it is the thread that crashes, so
// the variables need no synchronisation. The handler calls nothing but `sigaction` and `write`, which are async-signal-safe.

#if defined(INTERLOCK_EXPLORATION)

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static const int fatal_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { fatal_count = sizeof fatal_signals / sizeof *fatal_signals, most_choices = 1 << 16 };

static struct sigaction earlier[fatal_count];
static uint32_t choices[most_choices];
static size_t choice_count;

void interlock_begin_schedule(void) { choice_count = 0; }

void interlock_add_choice(uint32_t choice) {
    if (choice_count < most_choices) choices[choice_count] = choice;
    choice_count++;
}

// The text that the handler collects, and writes when it is full.
typedef struct {
    char bytes[512];
    size_t count;
} text;

static void flush(text *text) {
    // Nothing can be done about an error here.
    ssize_t written = write(STDERR_FILENO, text->bytes, text->count);
    (void)written;
    text->count = 0;
}

static void put(text *text, const char *words) {
    for (; *words != 0; words++) {
        if (text->count == sizeof text->bytes) flush(text);
        text->bytes[text->count++] = *words;
    }
}

static void put_number(text *text, size_t number) {
    char digits[24];
    size_t place = sizeof digits - 1;
    digits[place] = 0;
    do digits[--place] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    put(text, digits + place);
}

// In the form of `Replay.text`.
static void put_schedule(text *text) {
    for (size_t first = 0, next; first < choice_count; first = next) {
        for (next = first + 1; next < choice_count && choices[next] == choices[first];) next++;
        if (first > 0) put(text, ",");
        put_number(text, choices[first]);
        if (next - first > 1) {
            put(text, "x");
            put_number(text, next - first);
        }
    }
}

static void restore(void) {
    for (size_t index = 0; index < fatal_count; index++) sigaction(fatal_signals[index], &earlier[index], NULL);
}

// Returns to the instruction that crashed, which now crashes as it would have without this handler.
static void write_schedule(int signal) {
    (void)signal;
    text text = {.count = 0};
    restore();
    if (choice_count > most_choices) {
        put(&text, "\nExploration: the process crashed in an execution with too many steps to show\n");
    } else {
        put(&text, "\nExploration: the process crashed in an execution. To run it again: explore(.replay(\"");
        put_schedule(&text);
        put(&text, "\"))\n");
    }
    flush(&text);
}

void interlock_watch_crashes(void) {
    struct sigaction action = {.sa_handler = write_schedule};
    sigemptyset(&action.sa_mask);
    for (size_t index = 0; index < fatal_count; index++) sigaction(fatal_signals[index], &action, &earlier[index]);
}

void interlock_ignore_crashes(void) { restore(); }

#endif
