import Lifecycles

protocol RowsObserver: AnyObject, Sendable {
  func rowsChanged()
}
