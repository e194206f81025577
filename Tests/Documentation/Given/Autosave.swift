// The samples run on the main actor.
import Dispatch
import Lifecycles
import ViewModels

struct Text { func write(_ rows: RowsSnapshot) throws {} }
final class TableView: Sendable {}
let files = DispatchQueue(label: "files")
@MainActor let model = RowsViewModel()
let (table, text) = (TableView(), Text())
