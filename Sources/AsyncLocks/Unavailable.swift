// MARK: - What other locks have

extension AsyncMutex where Value: ~Copyable {
  /// Not available: sections are closures.
  @available(*, unavailable, message: "pass the section as a closure, which may await: await withLock { … }")
  @_alwaysEmitIntoClient
  public func lock() {}

  /// Not available: a section ends with its closure.
  @available(*, unavailable, message: "a section ends with the closure of withLock")
  @_alwaysEmitIntoClient
  public func unlock() {}
}

// MARK: - What other semaphores have

extension AsyncSemaphore {
  /// Not available: permits are held by closures.
  @available(*, unavailable, message: "pass the work as a closure, which may await: await withPermit { … }")
  @_alwaysEmitIntoClient
  public func wait() {}

  /// Not available: a permit is returned at the end of its closure.
  @available(*, unavailable, message: "a permit is returned at the end of the closure of withPermit")
  @_alwaysEmitIntoClient
  public func signal() {}
}
