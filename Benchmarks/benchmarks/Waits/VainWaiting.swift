/// A number that some threads write while another thread waits for a value that never comes.
protocol VainWaiting: Sendable {
  /// Waits until the number is negative, for at most `nanoseconds`.
  ///
  /// The number is never negative, so the wait always times out.
  func waitInVain(nanoseconds: UInt64)

  /// Changes the number, and makes waiting threads check the new number.
  func write()
}
