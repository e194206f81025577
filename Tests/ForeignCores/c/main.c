// Programs in C that use the row model: `rows-in-c checks | workers SECONDS SPEED | edits COUNT | random
// CALLS SEED`. The exit status is 0 if everything was right. The first thing that was not is printed.

#include "interlock_rows.h"
#include "programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
    const char *program = count > 1 ? arguments[1] : "";
    if (strcmp(program, "checks") == 0 && count == 2) run_checks();
    else if (strcmp(program, "workers") == 0 && count == 4) run_workers(atof(arguments[2]),
        atof(arguments[3]));
    else if (strcmp(program, "edits") == 0 && count == 3) run_edits(strtoull(arguments[2], NULL, 0));
    else if (strcmp(program, "random") == 0 && count == 4)
        run_random(strtoull(arguments[2], NULL, 0), strtoull(arguments[3], NULL, 0));
    else {
        fprintf(
            stderr, "usage: rows-in-c checks | workers SECONDS SPEED | edits COUNT | random CALLS SEED\n");
        return 2;
    }
    // A delivery that waits for the main thread keeps the memory of its model: LeakSanitizer would report it.
    interlock_rows_serve(0);
    return 0;
}
