extension RandomAccessCollection where Self: Sendable {
  // MARK: Concurrent iteration

  /// Calls `body` with each element, on several threads at the same time, and returns when all calls have
  /// ended.
  ///
  /// ```swift
  /// try images.concurrentForEach { image throws(WriteError) in try image.write() }
  /// ```
  ///
  /// - **Threads**: the calling one and others of libdispatch's pool, together at most as many as the machine
  ///   has processors. Inside a body of another concurrent iteration no threads are added, and the calling
  ///   thread does most or all of the work.
  /// - **Task-local values**: a call sees those of a task, and its cancellation, only if it runs on the calling thread, which
  ///   none need do. So read both before, and let the body capture them.
  /// - **Order**: threads take elements in order, one at a time. Bodies run concurrently.
  /// - **Errors**: once a body has thrown, no more elements are taken. The call waits for running bodies, and
  ///   then throws the error of the first failing element in the collection's order. All elements before it
  ///   were taken earlier, so this is the error that a plain `for` loop would have thrown.
  /// - **Quality of service**: bodies run with that of the caller's queue, on systems that have it.
  /// - **Blocking**: the calling thread works until no element is left, then waits for the bodies that still
  ///   run. It never waits for a thread to become free. A call in an `async` function occupies a thread of
  ///   the cooperative pool, as any long computation does. Call it on a thread or queue of your own instead.
  /// - **Deadlocks it permits**: bodies that wait for each other. (One thread may run all of them.)
  /// - **A collection that changes**: `count` is evaluated once, and the body is called for that many
  ///   elements. If an element no longer exists, the collection's own subscript should trap.
  /// - **Ending threads**: don't call this in a destructor of thread-specific data. By then libdispatch
  ///   (Swift 6.3 on Linux) has freed its own data of the thread. This function calls `concurrentPerform`,
  ///   which would use and free that data again.
  ///
  /// - Parameter body: Called at most once with each element, on any of the threads, so it is `@Sendable`.
  ///   The collection must be `Sendable`, but its elements need not be.
  /// - Throws: The error of `body` for the first element for which it throws.
  /// - Complexity: An atomic addition for each element. If `body` takes less than a microsecond, iterate over
  ///   ranges of elements instead.
  @_alwaysEmitIntoClient
  public func concurrentForEach<E: Error>(_ body: @Sendable (Element) throws(E) -> Void) throws(E) {
    do throws(PassInterruption<E>) {
      try concurrentPass(count: count) { (offset) throws(E) in
        try body(self[index(startIndex, offsetBy: offset)])
      }
    } catch {
      throw error.error
    }
  }

  /// The results of calling `transform` with each element, in the order of the elements, computed on several
  /// threads at the same time.
  ///
  /// ```swift
  /// let thumbnails = images.concurrentMap { $0.scaled(to: size) }
  /// ```
  ///
  /// It uses threads, blocks and handles errors as `concurrentForEach(_:)` does, and has the same limits.
  ///
  /// - Parameter transform: Makes the result of an element, on any of the threads. A result need not be
  ///   `Sendable`, because it is returned as `sending`.
  /// - Returns: The results, one for each element that the collection had at the beginning of the call.
  /// - Throws: The error of `transform` for the first element for which it throws; other results are
  ///   destroyed.
  /// - Complexity: An atomic addition for each element, one allocation for the results and one for the array.
  @_alwaysEmitIntoClient
  public func concurrentMap<R, E: Error>(
    _ transform: @Sendable (Element) throws(E) -> sending R
  ) throws(E) -> sending [R] {
    // The count is evaluated once. The collection may change at any time, and `results` must have a place for
    // each element that is transformed.
    let count = count
    let results = MappedResults<R>(count: count)
    do throws(PassInterruption<E>) {
      try concurrentPass(count: count) { (offset) throws(E) in
        results.put(try transform(self[index(startIndex, offsetBy: offset)]), at: offset)
      }
    } catch {
      results.discard(first: error.handedOut, except: error.failed)
      throw error.error
    }
    return results.take()
  }
}
