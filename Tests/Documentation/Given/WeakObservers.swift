import Observers

protocol RowsObserver: AnyObject, Sendable {
  func rowsChanged()
}
