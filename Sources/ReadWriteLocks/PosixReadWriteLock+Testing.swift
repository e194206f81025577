extension PosixReadWriteLock {
  /// What becomes of a reader to whom the system says `result`, which may be what can't be brought about in a test.
  package static func enter(afterResult result: Int32) -> Bool {
    check(result, "locked for reading")
  }
}
