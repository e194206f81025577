import Foundation
import Lifecycles

protocol RowsObserver: AnyObject, Sendable {
  func refresh()
}
final class Table: RowsObserver {
  func refresh() {}
}
let table = Table()
