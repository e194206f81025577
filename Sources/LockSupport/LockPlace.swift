/// The label of a lock, and the source line that makes the lock, for reports of possible deadlocks.
///
/// Without the trait `DeadlockDetection` it has no stored properties, so passing it takes no instruction.
@usableFromInline
@frozen
package struct LockPlace: Sendable {
  #if DeadlockDetection
    let label: StaticString
    let file: StaticString
    let line: UInt

    @usableFromInline
    package init(_ label: StaticString, _ file: StaticString, _ line: UInt) {
      self.label = label
      self.file = file
      self.line = line
    }
  #else
    @inlinable
    @inline(__always)
    package init(_ label: StaticString, _ file: StaticString, _ line: UInt) {}
  #endif
}

/// Reports the locks that the calling thread holds, before it runs code that may need any lock.
///
/// Does nothing without the trait `DeadlockDetection`.
///
/// - Parameter call: The words for that code in the report.
@inlinable
@inline(__always)
package func checkNoLockHeld(before call: StaticString) {
  #if DeadlockDetection
    Detector.shared.checkNoLockHeld(before: call)
  #endif
}
