// Programs in C that use the row model: `rows-in-c checks [NAME] | workers SECONDS SPEED | edits COUNT |
// random CALLS SEED | orders ROUNDS SEED`. The exit status is 0 if all checks hold. Otherwise the first check
// that fails is printed.

#include "interlock_rows.h"
#include "programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Looks for leaks now, prints them, and returns whether there are any. Only LeakSanitizer has it.
#ifdef __linux__
__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);
#else
#define __lsan_do_recoverable_leak_check ((int (*)(void))NULL)
#endif

// The rows that a delivery has replaced are freed some 20 milliseconds later. Until then LeakSanitizer reports
// them, because it can't read Swift's references to the nodes of a tree. What is still there after ten seconds
// is a leak.
static void wait_for_replaced_rows(void) {
    if (!__lsan_do_recoverable_leak_check) return;
    for (int tries = 0; tries < 100; tries += 1) {
        usleep(100000);
        if (!__lsan_do_recoverable_leak_check()) return;
    }
}

int main(int count, char **arguments) {
    const char *program = count > 1 ? arguments[1] : "";
    if (strcmp(program, "checks") == 0 && count <= 3) run_checks(arguments[2]);
    else if (strcmp(program, "workers") == 0 && count == 4) run_workers(atof(arguments[2]),
        atof(arguments[3]));
    else if (strcmp(program, "edits") == 0 && count == 3) run_edits(strtoull(arguments[2], NULL, 0));
    else if (strcmp(program, "random") == 0 && count == 4)
        run_random(strtoull(arguments[2], NULL, 0), strtoull(arguments[3], NULL, 0));
    else if (strcmp(program, "orders") == 0 && count == 4)
        run_orders(strtoull(arguments[2], NULL, 0), strtoull(arguments[3], NULL, 0));
    else {
        fprintf(
            stderr, "usage: rows-in-c checks [NAME] | workers SECONDS SPEED | edits COUNT | random CALLS SEED"
            " | orders ROUNDS SEED\n");
        return 2;
    }
    // Serves deliveries that still wait for the main thread. They keep the memory of their models, which
    // LeakSanitizer would report.
    interlock_rows_serve(0);
    wait_for_replaced_rows();
    return 0;
}
