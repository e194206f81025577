internal import CContention
internal import LockSupport

/// The distinct stacks of a profile, each with a number.
///
/// `@safe`: every index comes from `slots`, and is less than the capacity of the memory.
@safe
struct StackTable: ~Copyable, @unchecked Sendable {
  // `StackTable` is `@unchecked Sendable`, which is sound: the thread that inserts a stack writes its
  // addresses once, and then stores the depth with release. Readers load the depth with acquire first.

  /// The maximum number of addresses per stack; only the innermost ones are kept.
  static let greatestDepth = 48

  /// The stack number that stands for no stack.
  static let none: UInt32 = 0

  private let slots: HashSlots
  private let addressMemory: ReservedMemory<UInt>
  private var addresses: UnsafeMutablePointer<UInt> { unsafe addressMemory.first }
  private let depthMemory: ReservedMemory<AtomicWord>
  /// The number of addresses of each stack; 0 until the addresses have been written.
  private var depths: UnsafeMutablePointer<AtomicWord> { unsafe depthMemory.first }

  init(capacity: Int) {
    slots = HashSlots(capacity: capacity)
    addressMemory = ReservedMemory(capacity: capacity * Self.greatestDepth)
    depthMemory = ReservedMemory(capacity: capacity)
  }

  /// Returns the number of the calling thread's stack, and inserts the stack if it is new; `none` if the
  /// table is full or the stack can't be read.
  func numberOfCurrentStack() -> UInt32 {
    unsafe withUnsafeTemporaryAllocation(of: UInt.self, capacity: Self.greatestDepth) { stack in
      let depth = unsafe contention_stack(stack.baseAddress!, UInt32(Self.greatestDepth))
      return unsafe number(of: stack.baseAddress!, depth: Int(depth))
    }
  }

  func number(of stack: UnsafePointer<UInt>, depth: Int) -> UInt32 {
    if depth == 0 { return Self.none }
    var hash = UInt64(depth)
    var position = 0
    while position < depth {
      hash = unsafe HashSlots.combine(hash, UInt64(stack[position]))
      position += 1
    }
    guard let (index, isNew) = slots.index(of: hash) else { return Self.none }
    if isNew {
      unsafe (addresses + index * Self.greatestDepth).update(from: stack, count: depth)
      unsafe depths[index].store(UInt64(depth), .releasing)
    }
    return UInt32(index + 1)
  }

  /// The return addresses of the stack with this number, innermost first; empty for `none`, and while another
  /// thread is still inserting the stack.
  func addresses(ofNumber number: UInt32) -> [UInt] {
    if number == Self.none { return [] }
    let index = Int(number) - 1
    let depth = unsafe Int(depths[index].load(.acquiring))
    return unsafe Array(
      UnsafeBufferPointer(start: addresses + index * Self.greatestDepth, count: depth))
  }

  /// Removes all stacks; no other thread may use the table meanwhile.
  func removeAll() {
    slots.removeAll()
    depthMemory.clear()
  }
}
