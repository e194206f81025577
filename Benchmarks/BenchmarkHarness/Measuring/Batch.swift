/// Runs a number of operations in a loop, as one of the workers: one call for many operations, so that what
/// the call costs is not in the measurement.
///
/// The result keeps the optimiser from leaving operations out: something that depends on each of them or, in
/// a batch that measures waits, the longest wait in nanoseconds.
package typealias Batch = @Sendable (_ worker: Int, _ operations: Int) -> Int
