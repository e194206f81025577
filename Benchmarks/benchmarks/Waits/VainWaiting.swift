/// A number that threads write, and for a change of which they wait in vain.
protocol VainWaiting: Sendable {
  /// Waits until the number is negative, which it never is, or the time has passed.
  func waitInVain(nanoseconds: UInt64)

  /// Changes the number, and makes waiting threads check it.
  func write()
}
