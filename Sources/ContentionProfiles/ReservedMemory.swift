internal import CContention

/// A fixed number of zeroed elements, whose memory is committed page by page when they are first used.
///
/// The tables of a profile can therefore be large, and a thread that records a wait allocates nothing.
///
/// `@safe`: the pointer is valid for as long as this value lives. `Element` must be a type whose instances
/// may be all zero bytes, and need no `deinit`.
@safe
struct ReservedMemory<Element: ~Copyable>: ~Copyable {
  let first: UnsafeMutablePointer<Element>
  private let size: Int

  init(capacity: Int) {
    size = capacity * MemoryLayout<Element>.stride
    unsafe first = contention_reserve(size).bindMemory(to: Element.self, capacity: capacity)
  }

  deinit { unsafe contention_unreserve(first, size) }

  /// Makes all elements zero again; no other thread may use them meanwhile.
  func clear() { unsafe contention_clear(first, size) }
}
