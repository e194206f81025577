// The samples run on the main actor.
import CRows
import RowsInterface
import ViewModels

func open_core(_ table: UnsafeMutablePointer<interlock_rows_core>) {}

@MainActor
final class Controller: RowsObserver {}

@MainActor let controller = Controller()
