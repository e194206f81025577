// A core in C that owns rows.

#ifndef OWNING_CORE_H
#define OWNING_CORE_H

#include "interlock_rows_core.h"

// Fills in the table of a new core: an array behind a mutex, which a crew of threads edits.
//
// `argument` must be empty, or name a deliberate mistake of the core: "unordered" posts two edits in the
// wrong order, "wrong-row" posts a modification with the identity of another row, and "late" posts an edit
// after the core was invalidated. For any other text, returns INTERLOCK_ROWS_INVALID_ARGUMENT.
interlock_rows_status owning_core_open(interlock_rows_text argument, interlock_rows_core *core);

#endif
