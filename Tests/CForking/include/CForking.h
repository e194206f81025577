// Makes `fork` available to the tests, because Swift does not import it.

#ifndef CFORKING_H
#define CFORKING_H

// Runs `body` in a child of this process, which has one thread. Returns what `body` returns there (0 to 255),
// or -1 if the child ended in another way, or not in time. In the child, locks of other threads stay
// locked, also those of Swift's runtime: beside other threads, `body` must not allocate memory, nor use a generic
// type.
int in_forked_child(int (*body)(void));

// Runs `body` on a new thread, which a thread that blocks all signals starts. Returns what `body` returns.
int on_thread_of_worker(int (*body)(void));

#endif
