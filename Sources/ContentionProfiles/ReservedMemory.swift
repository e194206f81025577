internal import CContention

/// Zeroed elements that take up memory only where they are used, a page at a time.
///
/// So the tables of a profile are large, and a thread that records a wait allocates nothing.
///
/// `@safe`: the pointer is valid for as long as this value lives. Zero bytes must be a valid element, and
/// elements need no `deinit`.
@safe
struct ReservedMemory<Element: ~Copyable>: ~Copyable {
  let first: UnsafeMutablePointer<Element>
  private let size: Int

  init(capacity: Int) {
    size = capacity * MemoryLayout<Element>.stride
    unsafe first = contention_reserve(size).bindMemory(to: Element.self, capacity: capacity)
  }

  deinit { unsafe contention_unreserve(first, size) }

  /// Makes all elements zero again, while no other thread uses them.
  func clear() { unsafe contention_clear(first, size) }
}
