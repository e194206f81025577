/// A number that threads change, and wait for in vain.
protocol VainWaiting: Sendable {
  /// Waits for the number to become negative, which it never does.
  func waitInVain(nanoseconds: UInt64)

  /// Changes the number, and lets those who wait look at it.
  func write()
}
