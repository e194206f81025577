internal import AtomicProperties
internal import BenchmarkHarness
internal import Dispatch
internal import LazyInitialization
internal import Synchronization

// The suites "once" and "atomic properties": a number that was made once, and a number that is read and
// incremented. As in the suite "property", contestants are final classes, and the measured loops are compiled
// separately for each of them.

// MARK: Once

/// An object with a number.
protocol WordHolder: AnyObject, Sendable {
  var word: UInt64 { get }
}

/// Measures repeated reads of a number that has already been initialized.
private enum WordTrial {
  static func contestant(_ name: String, _ holder: some WordHolder) -> Contestant {
    // The loop stores each number, for the reason that `PropertyTrial` names.
    let end = IsolatedBox(Atomic<UInt64>(0))
    return Contestant(name: name) { _, count in read(holder, end.pointer, count) }
  }

  private static func read(
    _ holder: some WordHolder, _ sink: UnsafeMutablePointer<Atomic<UInt64>>, _ count: Int
  ) -> Int {
    for _ in 0..<count {
      sink.pointee.store(access(holder), ordering: .relaxed)
      atomicMemoryFence(ordering: .acquiring)
    }
    return count
  }

  /// Reads the number; the benchmark measures this call.
  ///
  /// It is not inlined. Otherwise the compiler would unroll reads of a stored field, and move reads of a static
  /// `let` out of the loop. In real programs, other code between the accesses prevents that.
  @inline(never)
  private static func access(_ holder: some WordHolder) -> UInt64 { holder.word }
}

private final class PlainWord: WordHolder, @unchecked Sendable {
  // `@unchecked Sendable` is sound: `word` never changes after its initialization.
  var word: UInt64 = 1
}

/// A number in a field that a `Once` initializes.
private final class OnceWord: WordHolder, @unchecked Sendable {
  private let once = Once()
  // `made` is written once, in the body of `once`, and is read only after that, so accesses can't overlap.
  // This makes both `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
  @exclusivity(unchecked) private var made: UInt64 = 0

  var word: UInt64 {
    once.run { made = UInt64(CommandLine.arguments.count) }
    return made
  }
}

private final class OnceCellWord: WordHolder {
  private let cell = OnceCell<UInt64>()

  var word: UInt64 {
    cell.withValue(orInitialize: { UInt64(CommandLine.arguments.count) }) { $0 }
  }
}

extension Lazy<UInt64>: WordHolder {
  var word: UInt64 { value }
}

private final class LazyVarWord: WordHolder, @unchecked Sendable {
  // `@unchecked Sendable` is sound: the suite uses an object on one thread at a time.
  lazy var word = UInt64(CommandLine.arguments.count)
}

/// A number in a static `let` that the compiler can't evaluate, so that it is initialized on its first use.
private final class StaticWord: WordHolder {
  private static let made = UInt64(CommandLine.arguments.count)

  var word: UInt64 { Self.made }
}

extension Suite {
  static var once: Suite {
    Suite(
      name: "once", about: "a number that has been made, read again",
      contests: [
        Contest(
          group: "once", title: "read", metric: .cost, operationUnit: 100, reference: "stored field",
          contestants: [
            WordTrial.contestant("stored field", PlainWord()),
            WordTrial.contestant("Once and a field", OnceWord()),
            WordTrial.contestant("OnceCell", OnceCellWord()),
            WordTrial.contestant("Lazy.value", Lazy { UInt64(CommandLine.arguments.count) }),
            WordTrial.contestant("lazy var, not synchronized", LazyVarWord()),
            WordTrial.contestant("static let", StaticWord()),
          ])
      ])
  }
}

extension Target {
  static var once: [Target] {
    ["Once and a field", "Lazy.value"].map { name in
      ratio(
        "\(name) / stored field, time", in: ("once", "once", "read"), name, over: ["stored field"],
        .atMost(1.4))
    }
  }
}

// MARK: Atomic properties

/// An object with a number that is read, and incremented atomically if the object supports this.
protocol CountHolder: AnyObject, Sendable {
  var count: Int { get }

  func increment()
}

private enum CountTrial {
  static func reading(_ name: String, _ holder: some CountHolder) -> Contestant {
    // The loop stores each number, for the reason that `PropertyTrial` names.
    let end = IsolatedBox(Atomic<Int>(0))
    return Contestant(name: name) { _, count in read(holder, end.pointer, count) }
  }

  static func incrementing(_ name: String, _ holder: some CountHolder) -> Contestant {
    Contestant(name: name) { _, count in increment(holder, count) }
  }

  @inline(never)
  private static func read(
    _ holder: some CountHolder, _ sink: UnsafeMutablePointer<Atomic<Int>>, _ count: Int
  ) -> Int {
    for _ in 0..<count {
      sink.pointee.store(holder.count, ordering: .relaxed)
      atomicMemoryFence(ordering: .acquiring)
    }
    return count
  }

  @inline(never)
  private static func increment(_ holder: some CountHolder, _ count: Int) -> Int {
    for _ in 0..<count {
      holder.increment()
      atomicMemoryFence(ordering: .acquiringAndReleasing)
    }
    return count
  }
}

final class PlainCount: CountHolder, @unchecked Sendable {
  // `@unchecked Sendable` is sound: the suite uses an object on one thread at a time.
  var count = 0

  func increment() { count += 1 }
}

private final class AtomicCount: CountHolder {
  private let storage = Atomic(0)

  var count: Int { storage.load(ordering: .acquiring) }

  func increment() { storage.wrappingAdd(1, ordering: .relaxed) }
}

final class MutexCount: CountHolder {
  private let storage = Mutex(0)

  var count: Int { storage.withLock { $0 } }

  func increment() { storage.withLock { $0 += 1 } }
}

final class SerialQueueCount: CountHolder, @unchecked Sendable {
  private let queue = DispatchQueue(label: "benchmarks.count")
  // `storage` is used only on the serial queue, so accesses can't overlap. This makes both
  // `@exclusivity(unchecked)` and the class's `@unchecked Sendable` sound.
  @exclusivity(unchecked) private var storage = 0

  var count: Int { queue.sync { storage } }

  func increment() { queue.sync { storage += 1 } }
}

extension AtomicProperty<Int>: CountHolder {
  var count: Int { value }

  func increment() { value += 1 }
}

extension LockFreeProperty<Int>: CountHolder {
  var count: Int { value }

  func increment() { wrappingAdd(1, ordering: .relaxed) }
}

extension QueueProperty<Int>: CountHolder {
  var count: Int { value }

  func increment() { value += 1 }
}

/// A number in a `QueueProperty`, incremented by a closure on the queue and not by a compound assignment.
private final class ModifiedQueueCount: CountHolder {
  private let property = QueueProperty(0)

  var count: Int { property.value }

  func increment() { property.update { $0 += 1 } }
}

extension Suite {
  /// Measures reading and incrementing a property that is safe to share.
  static var atomicProperties: Suite {
    Suite(
      name: "atomic properties", about: "an integer property, read and incremented",
      contests: [Access.read, .write].map { access in
        func row(_ name: String, _ holder: some CountHolder) -> Contestant {
          access == .read ? CountTrial.reading(name, holder) : CountTrial.incrementing(name, holder)
        }
        return Contest(
          group: "atomic properties", title: access == .read ? "read" : "increment", metric: .cost,
          operationUnit: 100, reference: "Synchronization.Mutex",
          contestants: [
            row("stored field", PlainCount()),
            row("LockFreeProperty", LockFreeProperty(0)),
            row("Synchronization.Atomic", AtomicCount()),
            row("AtomicProperty", AtomicProperty(0)),
            row("Synchronization.Mutex", MutexCount()),
            row("QueueProperty", QueueProperty(0)),
            row("QueueProperty.update", ModifiedQueueCount()),
            row("DispatchQueue.sync", SerialQueueCount()),
          ])
      })
  }
}

extension Target {
  static var atomicProperties: [Target] {
    func contest(_ title: String) -> (suite: String, group: String, title: String) {
      ("atomic properties", "atomic properties", title)
    }
    return [
      ratio(
        "LockFreeProperty / stored field, read, time", in: contest("read"), "LockFreeProperty",
        over: ["stored field"], .atMost(1.1))
    ]
      + ["read", "increment"].map { access in
        ratio(
          "AtomicProperty / Mutex, \(access), time", in: contest(access), "AtomicProperty",
          over: ["Synchronization.Mutex"], .atMost(1.1))
      }
  }
}
