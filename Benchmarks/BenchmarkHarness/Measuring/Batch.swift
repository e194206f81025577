/// Runs a number of operations in a loop, on one of the threads of a contest.
///
/// One call runs many operations, so that the cost of the call itself hardly counts.
///
/// The result depends on each operation, so that the optimiser can't remove any of them. A batch that
/// measures waits returns the longest wait in nanoseconds.
package typealias Batch = @Sendable (_ worker: Int, _ operations: Int) -> Int
