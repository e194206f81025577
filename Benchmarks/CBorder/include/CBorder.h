// The C side of the benchmark `border`, which compares the cost of the row model in Swift and in C programs.

#ifndef CBORDER_H
#define CBORDER_H

#include "interlock_rows.h"

// Makes `count` edits at random positions, drawn from `seed`. Half of the edits modify a row, a quarter
// insert one, and a quarter remove one.
void border_edit(interlock_rows_model model, uint64_t count, uint64_t seed);

// Returns an observer that adds the length of each notification's text, in bytes, to `*sum`. The sum must
// live until the observation has ended.
interlock_rows_observer border_observer(uint64_t *sum);

// Returns the sum of the lengths and of the first bytes of all rows' texts. The length of a text is in bytes.
uint64_t border_read(interlock_rows_snapshot snapshot);

#endif
