public import CInterlock

/// Keeps the change to the executor of this function's isolation before the next call of an asynchronous closure.
///
/// Swift 6.3 leaves that change out where only a call of a nonsending closure needs it, and a closure that
/// it specializes does not make up for it. It keeps the change for a statement that may have an effect on memory. This is
/// one, and emits no instruction.
@_alwaysEmitIntoClient
@_transparent
package func keepExecutor() { interlock_compiler_barrier() }
