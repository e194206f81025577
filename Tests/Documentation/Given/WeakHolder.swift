import Foundation
import Observers

protocol RowsObserver: AnyObject, Sendable {
  func refresh()
}
final class Table: RowsObserver {
  func refresh() {}
}
let table = Table()
