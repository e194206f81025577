/// The operations of several threads on a shared number, with their times.
///
/// Tests compare the operations with a sequential model.
struct History: Sendable {
  /// An operation on the number.
  enum Operation: Sendable, Hashable {
    /// Adds; returns the old number.
    case add(Int)
    /// Returns the number.
    case read
    /// Replaces the number; returns the old number.
    case exchange(Int)
    /// Subtracts 1 if the number is positive; returns the old number, or `nil`.
    case takeIfPositive
    /// Subtracts 1 as soon as the number is positive; returns the old number, or `nil` on timeout.
    case takeWhenPositive
    /// Returns the number as soon as it is even, or `nil` on timeout.
    case readWhenEven
  }

  /// One operation, with its result.
  struct Call: Sendable {
    let operation: Operation
    let result: Int?
    /// The time before the operation began, on a clock that all threads share.
    let start: Int
    /// The time after the operation had ended, on the same clock.
    let end: Int
  }

  private let initial: Int
  private let calls: [Call]

  /// Makes a history.
  ///
  /// - Parameters:
  ///   - initial: The value of the shared number before the first call.
  ///   - calls: At most 64 calls, in any order.
  init(initial: Int, calls: [Call]) {
    self.initial = initial
    self.calls = calls
  }

  // MARK: The sequential model

  /// The number after `call`, if the number before the call was `number`.
  ///
  /// The result is `nil` if the call, made with this number, can't have returned `call.result`.
  private static func next(_ number: Int, _ call: Call) -> Int? {
    switch (call.operation, call.result) {
    case (.add(let amount), number): number + amount
    case (.read, number): number
    case (.exchange(let other), number): other
    case (.takeIfPositive, nil), (.takeWhenPositive, nil): number > 0 ? nil : number
    case (.takeIfPositive, number), (.takeWhenPositive, number): number > 0 ? number - 1 : nil
    case (.readWhenEven, nil): number.isMultiple(of: 2) ? nil : number
    case (.readWhenEven, number): number.isMultiple(of: 2) ? number : nil
    default: nil
    }
  }

  // MARK: The search

  /// Whether the history is linearizable (Herlihy, Wing 1990).
  ///
  /// That is so if the calls can be put in an order in which the model returns the same results. A call that
  /// ended before another call began must come before that call in this order.
  ///
  /// This is the search of Wing and Gong (1993) with the memoisation of Lowe (2017).
  var isLinearizable: Bool {
    var deadEnds: Set<Position> = []
    return canContinue(from: Position(done: 0, number: initial), &deadEnds)
  }

  /// The calls that have been ordered so far, and the number after them.
  private struct Position: Hashable {
    var done: UInt64
    var number: Int
  }

  private func canContinue(from position: Position, _ deadEnds: inout Set<Position>) -> Bool {
    let left = calls.indices.filter { position.done & (1 << UInt64($0)) == 0 }
    guard let firstEnd = left.map({ calls[$0].end }).min() else { return true }
    guard !deadEnds.contains(position) else { return false }
    for index in left where calls[index].start < firstEnd {
      guard let number = Self.next(position.number, calls[index]) else { continue }
      let after = Position(done: position.done | 1 << UInt64(index), number: number)
      if canContinue(from: after, &deadEnds) { return true }
    }
    deadEnds.insert(position)
    return false
  }
}
