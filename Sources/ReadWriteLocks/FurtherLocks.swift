internal import InterlockCore

/// A thread's list of the locks that it holds for reading, and for which its record has no vacant entry.
extension ThreadRecord {
  // A node has a key and the address of the next node. Sound: only the owner of the record uses the list, and a node
  // lives until it is removed.

  /// Whether an entry or the list of further locks has `key`.
  func lists(_ key: UInt) -> Bool { unsafe index(of: key) != nil || linkToFurther(key) != nil }

  /// Adds `key` to the list of further locks, because there is no vacant entry.
  func addFurther(_ key: UInt) {
    let node = UnsafeMutablePointer<UInt>.allocate(capacity: 2)
    unsafe node.initialize(to: key)
    unsafe (node + 1).initialize(to: furtherLocks.pointee)
    unsafe furtherLocks.pointee = UInt(bitPattern: node)
  }

  /// Removes `key`, which the list of further locks has.
  func removeFurther(_ key: UInt) {
    guard let link = unsafe linkToFurther(key), let node = unsafe Self.node(at: link) else { return }
    unsafe link.pointee = node[1]
    unsafe node.deallocate()
  }

  /// The place that refers to the node with `key`; `nil` if there is none.
  private func linkToFurther(_ key: UInt) -> UnsafeMutablePointer<UInt>? {
    var link = unsafe furtherLocks
    while let node = unsafe Self.node(at: link) {
      if unsafe node[0] == key { return unsafe link }
      unsafe link = node + 1
    }
    return nil
  }

  private static func node(at link: UnsafeMutablePointer<UInt>) -> UnsafeMutablePointer<UInt>? {
    unsafe UnsafeMutablePointer(bitPattern: link.pointee)
  }
}
