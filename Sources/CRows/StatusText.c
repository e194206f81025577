#include "interlock_rows.h"

const char *interlock_rows_status_text(interlock_rows_status status) {
    switch (status) {
    case INTERLOCK_ROWS_OK: return "OK";
    case INTERLOCK_ROWS_NO_SUCH_ROW: return "no such row";
    case INTERLOCK_ROWS_NULL_ARGUMENT: return "null argument";
    case INTERLOCK_ROWS_INVALID_ARGUMENT: return "invalid argument";
    case INTERLOCK_ROWS_INVALID_UTF8: return "invalid UTF-8";
    case INTERLOCK_ROWS_INVALID_HANDLE: return "invalid handle";
    case INTERLOCK_ROWS_WRONG_THREAD: return "wrong thread";
    case INTERLOCK_ROWS_IN_CALLBACK: return "not allowed in a callback";
    case INTERLOCK_ROWS_BUFFER_TOO_SMALL: return "buffer too small";
    case INTERLOCK_ROWS_TIMED_OUT: return "timed out";
    case INTERLOCK_ROWS_OBSERVED: return "observed already";
    case INTERLOCK_ROWS_OUT_OF_ORDER: return "out of order";
    case INTERLOCK_ROWS_OLD_GENERATION: return "old generation";
    case INTERLOCK_ROWS_REFUSED: return "refused by the core";
    default: return "unknown status";
    }
}
