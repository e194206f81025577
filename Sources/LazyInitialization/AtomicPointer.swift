public import InterlockCore

/// An optional pointer that threads load and store atomically.
@safe
@usableFromInline
@frozen
package struct AtomicPointer<Pointee: ~Copyable>: ~Copyable, @unchecked Sendable {
  // `AtomicPointer` is `@unchecked Sendable`, which is sound: the pointer itself is accessed only atomically.
  // Code that dereferences the pointer must justify that access itself.
  @usableFromInline
  let word: AtomicWord

  @_alwaysEmitIntoClient
  package init(_ initialValue: UnsafeMutablePointer<Pointee>? = nil) {
    word = AtomicWord(UInt64(UInt(bitPattern: initialValue)))
  }

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func load(_ ordering: MemoryOrdering) -> UnsafeMutablePointer<Pointee>? {
    unsafe UnsafeMutablePointer(bitPattern: UInt(truncatingIfNeeded: word.load(ordering)))
  }

  @_alwaysEmitIntoClient
  @_transparent
  package borrowing func store(_ desired: UnsafeMutablePointer<Pointee>?, _ ordering: MemoryOrdering) {
    word.store(UInt64(UInt(bitPattern: desired)), ordering)
  }
}
