// Swift's overlay of the C library does not have `fork`.

#ifndef CFORKING_H
#define CFORKING_H

// Runs `body` in a child of this process, which has one thread. Returns what `body` returns there (0 to 255),
// or -1 if the child ended in another way.
int in_forked_child(int (*body)(void));

#endif
