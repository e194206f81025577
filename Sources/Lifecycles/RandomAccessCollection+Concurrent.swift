extension RandomAccessCollection where Self: Sendable {
  // MARK: Concurrent iteration

  /// Calls `body` with each element, on several threads at once, and returns when all calls have ended.
  ///
  /// ```swift
  /// try images.concurrentForEach { image throws(WriteError) in try image.write() }
  /// ```
  ///
  /// - **Threads**: the calling one and others of libdispatch's pool, together at most as many as the machine has
  ///   processors. Inside a body of another concurrent iteration the threads of that one are all there are, and the
  ///   calling thread does most of the work, or all of it.
  /// - **Order**: elements are handed out in order, one at a time; bodies run side by side.
  /// - **Errors**: once a body has thrown, no more elements are handed out. Bodies that run are waited for, and the error of the
  ///   first element, in the collection's order, that has failed is thrown. Since all elements before it were handed out
  ///   earlier, it is the error that a plain `for` loop would have ended with.
  /// - **Quality of service**: that of the caller's queue, on systems that have it.
  /// - **Blocking**: the calling thread works until the hand-out ends, then waits for the bodies that still run. It never
  ///   waits for a thread to become free. In an `async` function it occupies a thread of the cooperative pool for as
  ///   long as that takes, like any long computation: call it from a thread or queue of its own there.
  /// - **Deadlocks it permits**: bodies that wait for each other. (There may be one thread for all of them.)
  /// - **A collection that changes**: `count` is evaluated once, and the body is called for so many elements. For one that is not
  ///   there any more the collection's own subscript is evaluated, which should trap.
  /// - **The end of a thread**: not in a destructor of thread-specific data. libdispatch (Swift 6.3 on Linux) has freed by then
  ///   what it keeps for the thread, and its `concurrentPerform`, which this uses, uses and frees that again.
  ///
  /// - Parameter body: What to do with an element. It is called on any of the threads, which is why it is
  ///   `@Sendable`; elements need not be, beyond what makes the collection so.
  /// - Throws: What `body` throws for the first of the elements for which it throws.
  /// - Complexity: An atomic addition for each element. Where `body` takes less than a microsecond, let an element be a
  ///   whole range.
  @inlinable
  public func concurrentForEach<E: Error>(_ body: @Sendable (Element) throws(E) -> Void) throws(E) {
    do throws(PassInterruption<E>) {
      try concurrentPass(count: count) { (offset) throws(E) in
        try body(self[index(startIndex, offsetBy: offset)])
      }
    } catch {
      throw error.error
    }
  }

  /// The results of calling `transform` with each element, in the order of the elements, computed on several threads at
  /// once.
  ///
  /// ```swift
  /// let thumbnails = images.concurrentMap { $0.scaled(to: size) }
  /// ```
  ///
  /// Threads, order, errors, quality of service, blocking, deadlocks, a collection that changes and where not to call it are
  /// those of `concurrentForEach(_:)`.
  ///
  /// - Parameter transform: Makes the result of an element, on any of the threads. A result need not be `Sendable`: it is handed over.
  /// - Returns: As many results as there were elements in the beginning.
  /// - Throws: What `transform` throws for the first of the elements for which it throws; the results of others are destroyed.
  /// - Complexity: An atomic addition for each element, one allocation for the results and one for the array.
  @inlinable
  public func concurrentMap<R, E: Error>(
    _ transform: @Sendable (Element) throws(E) -> sending R
  ) throws(E) -> sending [R] {
    // Evaluated once: a collection may change at any time, and the pass must not have more numbers than there are places.
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
