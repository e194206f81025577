// Macros that check a condition. If it does not hold, they print the place of the check and end the program.

#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: this does not hold: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

// Checks that a call returns the expected status.
#define EXPECT(expected, call) \
    do { \
        interlock_rows_status status_ = (call); \
        if (status_ != (expected)) { \
            fprintf(stderr, "%s:%d: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__, #call, \
                    interlock_rows_status_text(status_), interlock_rows_status_text(expected)); \
            exit(1); \
        } \
    } while (0)

#define OK(call) EXPECT(INTERLOCK_ROWS_OK, call)

#endif
