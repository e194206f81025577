extension PosixReadWriteLock {
  /// Handles `result` as if the system had returned it to a reader.
  ///
  /// Tests pass errors that they can't provoke.
  package func enter(afterResult result: Int32) -> Bool {
    check(result, "locked for reading")
  }
}
