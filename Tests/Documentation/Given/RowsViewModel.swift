// The samples run on the main actor.
import ViewModels

final class Table: RowsObserver {}
@MainActor let table = Table()
