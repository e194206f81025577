// The side in C of what is measured at the border.

#ifndef CBORDER_H
#define CBORDER_H

#include "interlock_rows.h"

// Makes so many edits: half of them modifications, a quarter insertions, a quarter removals.
void border_edit(interlock_rows_model model, uint64_t count, uint64_t seed);

// An observer that adds the lengths of all texts to the number that its user is.
interlock_rows_observer border_observer(uint64_t *sum);

// The sum of the lengths and the first bytes of all texts.
uint64_t border_read(interlock_rows_snapshot snapshot);

#endif
