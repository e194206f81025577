// Models that checks make, use and destroy.

#ifndef MODELS_H
#define MODELS_H

#include "interlock_rows_core.h"
#include "mirror.h"

// The position before the first row.
static const interlock_rows_position start = {INTERLOCK_ROWS_AT_INDEX, 0};

// The defaults, with audits.
interlock_rows_options default_options(void);

interlock_rows_model make_model(interlock_rows_options options);

interlock_rows_model make_model_over(interlock_rows_core *core, interlock_rows_options options);

// Lets the mirror observe the model, and restarts the model.
void observe(interlock_rows_model model, mirror *mirror);

// Destroys the model, which must be the last object, and clears the mirror.
void finish(interlock_rows_model model, mirror *mirror);

interlock_rows_account account_of(interlock_rows_model model);

// Whether the mirror has the latest rows of the model.
bool shows_latest(interlock_rows_model model, const mirror *mirror);

#endif
