import CRows
import RowsInterface

// A client of the product RowsInterface alone: it shows that the product compiles and loads by itself.

var options = interlock_rows_options()
precondition(interlock_rows_options_init(&options) == INTERLOCK_ROWS_OK)
var model = interlock_rows_model()
precondition(interlock_rows_create(&options, &model) == INTERLOCK_ROWS_OK)
let first = interlock_rows_position(kind: UInt32(INTERLOCK_ROWS_AT_INDEX), value: 0)
precondition(interlock_rows_insert(model, first, "Ann", 3) == INTERLOCK_ROWS_OK)
precondition(interlock_rows_destroy(model) == INTERLOCK_ROWS_OK)
let status = interlock_rows_destroy(model)
precondition(status == INTERLOCK_ROWS_INVALID_HANDLE)
print("RowsInterface: the second destroy is \(String(cString: interlock_rows_status_text(status)))")
