internal import InterlockCore

// Loops whose bodies are child tasks of the caller, at most `limit` of them at a time.
//
// The calling task takes the elements of a sequence itself. It awaits those of an asynchronous sequence in a
// child task, which counts as one of `limit`. So it always finds the end of another child, and the first
// error ends a wait for an element that may never come.
//
// Clients compile the loops for their own types: generic code that is not specialized costs more than the child tasks.

extension Sequence where Element: Sendable {
  /// The results of calling `transform` with each element, in the order of the elements; at most `limit` calls run at
  /// a time.
  ///
  /// ```swift
  /// let pages = try await addresses.concurrentMap(limit: 4) { try await download($0) }
  /// ```
  ///
  /// Each call runs in a child task. The sequence is iterated in the caller's isolation, and never further than
  /// calls can begin.
  ///
  /// - **Errors**: the first call that throws cancels the others. Elements that are left are not taken. When all
  ///   calls have ended, its error is thrown.
  /// - **Cancellation**: if the calling task is cancelled, so are the calls. It takes the other elements
  ///   nevertheless, unless a call throws.
  /// - **Blocking**: none. The calling task is suspended until all calls have ended.
  /// - **Misuse that traps**: a limit below 1.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of calls at a time.
  ///   - onResult: Called in the caller's isolation with each result as it comes, and the number of its element,
  ///     beginning with 0.
  ///   - isolation: The caller's isolation.
  ///   - transform: Makes the result of an element.
  /// - Returns: The results, one for each element.
  /// - Throws: The error of the first call that throws.
  /// - Complexity: A task for each element.
  @_alwaysEmitIntoClient
  public func concurrentMap<R: Sendable, E: Error>(
    limit: Int, onResult: (_ index: Int, R) -> Void = { _, _ in },
    isolation: isolated (any Actor)? = #isolation,
    _ transform: @escaping @Sendable (Element) async throws(E) -> R
  ) async throws(E) -> [R] {
    var results: [R?] = []
    try await loop("concurrentMap", self, limit: limit, transform) { index, result in
      put(result, at: index, in: &results)
      onResult(index, result)
    }
    return results.map { $0! }
  }

  /// Calls `body` with each element; at most `limit` calls run at a time.
  ///
  /// It acts as `concurrentMap(limit:onResult:_:)` of a sequence does, and returns when all calls have ended.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of calls at a time.
  ///   - isolation: The caller's isolation.
  ///   - body: Called with each element, in a child task.
  /// - Throws: The error of the first call that throws.
  @_alwaysEmitIntoClient
  public func concurrentForEach<E: Error>(
    limit: Int, isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable (Element) async throws(E) -> Void
  ) async throws(E) {
    try await loop("concurrentForEach", self, limit: limit, body) { _, _ in }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// The results of calling `transform` with each element, in the order of the elements; at most `limit` calls run at
  /// a time.
  ///
  /// It acts as `concurrentMap(limit:onResult:_:)` of a `Sequence` does. The next element is awaited only while
  /// fewer than `limit` calls run, in a child task. An error of the sequence acts as one of a call. An element that
  /// has been awaited when another call throws is not lost: its call is cancelled from the beginning. A sequence
  /// that ends when the task is cancelled, as `AsyncStream` does, ends the loop.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of calls at a time.
  ///   - onResult: Called in the caller's isolation with each result as it comes, and the number of its element,
  ///     beginning with 0.
  ///   - isolation: The caller's isolation.
  ///   - transform: Makes the result of an element.
  /// - Returns: The results, one for each element.
  /// - Throws: The first error, of a call or of the sequence.
  /// - Complexity: Two tasks for each element.
  @_alwaysEmitIntoClient
  public func concurrentMap<R: Sendable>(
    limit: Int, onResult: (_ index: Int, R) -> Void = { _, _ in },
    isolation: isolated (any Actor)? = #isolation,
    _ transform: @escaping @Sendable (Element) async throws -> R
  ) async throws -> [R] {
    var results: [R?] = []
    try await loop("concurrentMap", self, limit: limit, transform) { index, result in
      put(result, at: index, in: &results)
      onResult(index, result)
    }
    return results.map { $0! }
  }

  /// Calls `body` with each element; at most `limit` calls run at a time.
  ///
  /// It acts as `concurrentMap(limit:onResult:_:)` of an asynchronous sequence does, and returns when all calls
  /// have ended.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of calls at a time.
  ///   - isolation: The caller's isolation.
  ///   - body: Called with each element, in a child task.
  /// - Throws: The first error, of a call or of the sequence.
  @_alwaysEmitIntoClient
  public func concurrentForEach(
    limit: Int, isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable (Element) async throws -> Void
  ) async throws {
    try await loop("concurrentForEach", self, limit: limit, body) { _, _ in }
  }
}

@usableFromInline
func checkLimit(_ limit: Int, of function: String) {
  if limit < 1 { misuse(function, "called with limit: \(limit)", "pass a number greater than 0") }
}

/// Puts a result into its place, and makes places for those of earlier elements.
@_alwaysEmitIntoClient
func put<R>(_ result: R, at index: Int, in results: inout [R?]) {
  while results.count <= index { results.append(nil) }
  results[index] = result
}

// Both loops take the caller's isolation as a parameter, which their closures capture: the closures would run on the
// pool otherwise.

@_alwaysEmitIntoClient
func loop<Elements: Sequence, R: Sendable, E: Error>(
  _ function: String, _ elements: Elements, limit: Int,
  _ body: @escaping @Sendable (Elements.Element) async throws(E) -> R,
  isolation: isolated (any Actor)? = #isolation, receive: (Int, R) -> Void
) async throws(E) where Elements.Element: Sendable {
  checkLimit(limit, of: function)
  let failure: E? = await withTaskGroup(of: (number: Int, result: Result<R, E>).self) { group in
    _ = isolation
    var iterator = elements.makeIterator()
    var count = 0
    var running = 0
    var hasEnded = false
    while true {
      while running < limit, !hasEnded {
        guard let element = iterator.next() else {
          hasEnded = true
          break
        }
        let number = count
        group.addTask {
          do throws(E) {
            return (number, .success(try await body(element)))
          } catch {
            return (number, .failure(error))
          }
        }
        count += 1
        running += 1
      }
      guard let ended = await group.next() else { return nil }
      running -= 1
      switch ended.result {
      case .success(let value): receive(ended.number, value)
      case .failure(let error):
        group.cancelAll()
        return error
      }
    }
  }
  if let failure { throw failure }
}

@_alwaysEmitIntoClient
func loop<Elements: AsyncSequence & Sendable, R: Sendable>(
  _ function: String, _ elements: Elements, limit: Int,
  _ body: @escaping @Sendable (Elements.Element) async throws -> R,
  isolation: isolated (any Actor)? = #isolation, receive: (Int, R) -> Void
) async throws where Elements.Element: Sendable {
  checkLimit(limit, of: function)
  let failure = await withThrowingTaskGroup(of: Ended<Elements.Element, R>.self) { group -> (any Error)? in
    _ = isolation
    let source = Source(elements.makeAsyncIterator())
    var count = 0
    var running = 0
    var mayAwaitElement = true
    var failure: (any Error)?
    while true {
      if mayAwaitElement, running < limit, failure == nil {
        group.addTask { try await source.next().map(Ended.element) ?? .sequence }
        mayAwaitElement = false
      }
      do {
        switch try await group.next() {
        case .element(let element):
          // After an error, too: the element is in no sequence any more.
          let number = count
          group.addTask { .call(number, try await body(element)) }
          count += 1
          running += 1
          mayAwaitElement = true
        case .call(let number, let value):
          running -= 1
          if failure == nil { receive(number, value) }
        case .sequence: break
        case nil: return failure
        }
      } catch {
        failure = failure ?? error
        group.cancelAll()
      }
    }
  }
  if let failure { throw failure }
}

/// What a child task of a loop over an asynchronous sequence has awaited.
@usableFromInline
@frozen
enum Ended<Element: Sendable, R: Sendable>: Sendable {
  case element(Element)
  case call(Int, R)
  /// The end of the sequence.
  case sequence
}

/// The iterator of an asynchronous sequence, for child tasks that use it one after another.
///
/// `@unchecked Sendable` is sound: a loop starts a child task that calls `next` when it has the result of the last
/// one. The iterator was made from a `Sendable` sequence, for the loop alone.
@_fixed_layout  // With library evolution, the inlinable functions need it.
@usableFromInline
final class Source<Iterator: AsyncIteratorProtocol>: @unchecked Sendable {
  @usableFromInline var iterator: Iterator

  @_alwaysEmitIntoClient
  init(_ iterator: Iterator) { self.iterator = iterator }

  @_alwaysEmitIntoClient
  func next() async throws -> Iterator.Element? { try await iterator.next() }
}
