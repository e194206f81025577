/// Runs `operations` operations in a loop, on the thread with the index `worker`.
///
/// One call runs many operations, so that the cost of the call is negligible.
///
/// The result must depend on each operation, so that the optimiser can't remove any of them. For some kinds
/// of `Metric`, the result is a measurement: the longest wait in nanoseconds, or the number of allocations or
/// bytes.
package typealias Batch = @Sendable (_ worker: Int, _ operations: Int) -> Int
