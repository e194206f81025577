#if Exploration && ShippedLayout
  import AtomicProperties
  import InterlockCore

  // Locks whose costs are known, and words whose places are chosen, to compare with.

  final class TicketLock: Sendable {
    private let next = AtomicWord()
    private let served = AtomicWord()
    private let distance = Padding()

    func lock() {
      let ticket = next.add(1, .relaxed)
      while served.load(.acquiring) != ticket { spinLoopHint() }
    }

    func unlock() { served.store(served.load(.relaxed) + 1, .releasing) }
  }

  /// The lock of Mellor-Crummey and Scott (1991).
  final class QueueLock: Sendable {
    private final class Node: Sendable {
      private let before = Padding()
      let isWaiting = AtomicWord()
      /// The number of the next node, and 1; 0 if there is none.
      let next = AtomicWord()
      private let after = Padding()
    }

    private let before = Padding()
    private let last = AtomicWord()
    private let after = Padding()
    private let nodes: [Node]

    init(threads: Int) { nodes = (0..<threads).map { _ in Node() } }

    func lock(_ thread: Int) {
      nodes[thread].next.store(0, .relaxed)
      let previous = last.exchange(UInt64(thread) + 1, .acquiringAndReleasing)
      if previous == 0 { return }
      nodes[thread].isWaiting.store(1, .relaxed)
      nodes[Int(previous) - 1].next.store(UInt64(thread) + 1, .releasing)
      while nodes[thread].isWaiting.load(.acquiring) != 0 { spinLoopHint() }
    }

    func unlock(_ thread: Int) {
      var next = nodes[thread].next.load(.acquiring)
      if next == 0 {
        if last.compareExchange(expected: UInt64(thread) + 1, desired: 0, .releasing).exchanged { return }
        while next == 0 {
          spinLoopHint()
          next = nodes[thread].next.load(.acquiring)
        }
      }
      nodes[Int(next) - 1].isWaiting.store(0, .releasing)
    }
  }

  final class TestAndSetLock: Sendable {
    private let word = AtomicWord()

    func lock() {
      while word.exchange(1, .acquiring) != 0 { spinLoopHint() }
    }

    func unlock() { word.store(0, .releasing) }
  }

  /// Keeps the words before and after it in different lines.
  struct Padding: Sendable {
    private let words = (0, 0, 0, 0, 0, 0, 0, 0)
  }

  final class Box<Value: ~Copyable & Sendable>: Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
  }

  /// A value of which each access is counted.
  struct CountedValue: ~Copyable, Sendable {
    private let word = AtomicWord()

    borrowing func read() -> UInt64 { word.load(.relaxed) }
    borrowing func increment() { word.store(word.load(.relaxed) + 1, .relaxed) }
  }

  /// A counter for each of several threads, in one line or in a line each.
  final class Counters: Sendable {
    private struct Counter: Sendable {
      let base: UInt
    }

    private let counters: [Counter]

    init(count: Int, distance: Int) {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: count * distance, alignment: 64)
      counters = (0..<count).map { index in
        (memory + index * distance).initializeMemory(as: CountedValue.self, to: CountedValue())
        return Counter(base: UInt(bitPattern: memory + index * distance))
      }
    }

    func increment(_ index: Int) {
      UnsafePointer<CountedValue>(bitPattern: counters[index].base)!.pointee.increment()
    }

    deinit {
      UnsafeMutableRawPointer(bitPattern: counters[0].base)!.deallocate()
    }
  }
#endif
