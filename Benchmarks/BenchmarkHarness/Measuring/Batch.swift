/// Runs operations in a loop, as one of the workers.
///
/// One call runs many operations, so that the measurement does not contain the cost of the call.
///
/// The result keeps the optimiser from removing operations. It depends on each of them. In a batch that
/// measures waits, it is the longest wait in nanoseconds.
package typealias Batch = @Sendable (_ worker: Int, _ operations: Int) -> Int
