extension PosixReadWriteLock {
  /// Handles `result` as if a pthread function had returned it to a reader; returns whether the reader
  /// acquired the lock.
  ///
  /// Traps for an error, as a reader would. Tests pass errors that they can't provoke in the system.
  package func enter(afterResult result: Int32) -> Bool {
    check(result, "locked for reading")
  }
}
