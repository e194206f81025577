#if Exploration
  internal import InterlockCore
  internal import Runtime

  /// A step of an execution, for the report.
  struct Step {
    /// What a thread reads that other threads change without a step.
    enum Observation {
      /// A weak or unowned reference.
      case reference
      case cancellation
    }

    enum Action {
      case starts
      case ends
      case operation(ExploredOperation, word: Int, read: UInt64, writer: Int?)
      /// The thread waits on a word, and sleeps if `found`, the word's value, equals `expected`.
      ///
      /// `writer` is the step that stored `found`; `nil` for the word's initial value.
      case sleeps(word: Int, expected: UInt64, found: UInt64, writer: Int?)
      case wakesUp
      case timesOut
      /// The deadline passes during a wait that did not sleep, or that a signal interrupted.
      case becomesLate
      case wakesUpForNoReason
      case wakes([Int])
      case joins(Int)
      case readsClock(UInt64)
      case spins
      case reads(cell: Int)
      case writes(cell: Int)
      case observes(Observation)
      case expects(String)
      /// A task begins.
      case begins
      /// A task goes on that the given thread has resumed.
      ///
      /// `nil` if that was the thread itself, and if the thread goes on after another thread's cancellation
      /// handler, or may try again to lock a mutex.
      case goesOn(resumedBy: Int?)
      /// The thread runs a job on an actor.
      case runs(on: ActorName)
      /// The thread ends the sleep or the yield of the given thread's task.
      case resumes(Int)
      /// The thread lets the deadline of the given thread's task pass.
      case expires(deadlineOf: Int)
      case enters(ActorName)
      case leaves
      /// At the end of a deadlock: nobody resumes the thread's task, which is no step of the execution.
      case isSuspended
    }

    let thread: Int
    let action: Action
    /// Whether the step uses a word or a cell that the explored program itself made; `false` unless the
    /// execution runs for a report.
    let isOfProgram: Bool
    /// The stack of the thread in this step; `nil` unless the execution runs for a report that names lines.
    var stack: Backtrace?

    /// The beginning of a step's line in a report: the step's number and its thread.
    static func head(_ number: Int, _ thread: Int) -> String {
      let number = String(number)
      return String(repeating: " ", count: max(0, 4 - number.count)) + "\(number)  T\(thread)  "
    }

    /// Whether a report may combine the step with others of the same call of this package.
    var isOfCall: Bool {
      switch action {
      case .starts, .ends, .joins, .expects: false
      case .reads, .writes: !isOfProgram
      case .operation(let operation, _, _, _): !isOfProgram && operation.kind != .fence
      default: true
      }
    }

    /// Whether a task or an actor's queue goes on in this step, a task enters or leaves an actor, or a wait of a
    /// task ends.
    var isOfTask: Bool {
      switch action {
      case .begins, .goesOn, .runs, .enters, .leaves, .resumes, .expires: true
      default: false
      }
    }

    /// Whether the thread goes to sleep in this step, or its task was suspended before the step.
    var isWait: Bool {
      switch action {
      case .sleeps(_, let expected, let found, _): expected == found
      case .goesOn, .runs: true
      default: false
      }
    }

    /// The word that the step uses.
    var word: Int? {
      switch action {
      case .operation(let operation, let word, _, _): operation.isFence ? nil : word
      case .sleeps(let word, _, _, _): word
      default: nil
      }
    }

    func text(_ names: ValueNames) -> String {
      switch action {
      case .starts: "starts"
      case .ends: "ends"
      case .operation(let operation, let word, let read, let writer):
        "\(operation.text(word: word, read: read, names))\(Self.origin(writer, operation.kind))"
      case .sleeps(let word, let expected, let found, let writer):
        expected == found
          ? "sleeps on w\(word) = \(names.text(found))"
          : "does not sleep on w\(word): \(names.text(found)), not \(names.text(expected))\(Self.origin(writer, .load))"
      case .wakesUp: "wakes up"
      case .timesOut: "times out"
      case .becomesLate: "is late: its deadline has passed"
      case .wakesUpForNoReason: "wakes up for no reason"
      case .wakes(let threads):
        threads.isEmpty ? "wakes nobody" : "wakes \(threads.map { "T\($0)" }.joined(separator: ", "))"
      case .joins(let thread): "joins T\(thread)"
      case .readsClock(let now): "reads the clock: \(now) ns"
      case .spins: "spins"
      case .reads(let cell): "reads cell c\(cell)"
      case .writes(let cell): "writes cell c\(cell)"
      case .observes(.reference): "reads a reference that does not keep its object alive"
      case .observes(.cancellation): "checks again whether a task is cancelled"
      case .expects(let message): "finds: \(message)"
      case .begins: "starts"
      case .goesOn(let other): other.map { "is resumed by T\($0)" } ?? "goes on"
      case .runs(let actor): "runs on \(actor.text)"
      case .resumes(let other): "resumes T\(other)"
      case .expires(let other): "lets the deadline of T\(other) pass"
      case .enters(let actor): "enters \(actor.text)"
      case .leaves: "goes on without an actor"
      case .isSuspended: "is suspended"
      }
    }

    private static func origin(_ writer: Int?, _ kind: ExploredOperation.Kind) -> String {
      kind == .store || kind == .fence || kind == .processBarrier
        ? "" : writer.map { " (of step \($0))" } ?? " (initial)"
    }
  }

  /// The name of an actor, or of another executor, in a report.
  struct ActorName {
    /// `nil` for an executor.
    let type: AnyObject.Type?
    /// The number of the actor, from 0, in the order of first uses; `nil` for the main actor.
    ///
    /// For an executor that is no actor, it is 0 and has no meaning.
    let number: Int?

    var text: String {
      guard let number else { return "the main actor" }
      return type.map { "\($0) a\(number)" } ?? "an executor"
    }
  }

  extension ExploredOperation {
    func text(word: Int, read: UInt64, _ names: ValueNames) -> String {
      let order = String(describing: ordering)
      switch kind {
      case .load: return "loads w\(word), \(order): \(names.text(read))"
      case .store: return "stores w\(word) = \(names.text(operand)), \(order)"
      case .exchange:
        return "exchanges w\(word) for \(names.text(operand)), \(order): was \(names.text(read))"
      case .compareExchange:
        let done = read == expected ? "done" : "fails on \(names.text(read))"
        return
          "compares w\(word) with \(names.text(expected)), exchanges for \(names.text(operand)), \(order): \(done)"
      case .add where names.isOfThread(UInt64(0 &- UInt32(truncatingIfNeeded: operand))):
        return
          "subtracts \(names.text(UInt64(0 &- UInt32(truncatingIfNeeded: operand)))) from w\(word), \(order): was \(names.text(read))"
      case .add:
        return "adds \(Int32(truncatingIfNeeded: operand)) to w\(word), \(order): was \(names.text(read))"
      case .setBits: return "sets \(names.text(operand)) in w\(word), \(order): was \(names.text(read))"
      case .clearBits: return "clears \(names.text(operand)) in w\(word), \(order): was \(names.text(read))"
      case .fence: return "fence, \(order)"
      case .processBarrier: return "barrier on all threads"
      }
    }
  }

  /// Writes the values of words, in the same way in all executions with the same choices.
  ///
  /// Addresses and the numbers of threads differ between executions. An address is written as `p` with a number, by
  /// first use, and what its lowest bits add; the number of a thread as the name of the thread.
  struct ValueNames {
    private var addresses: [UInt64: Int] = [:]
    /// For each thread of the system, by its `ThreadIdentity`, the thread of the execution.
    private let threads: [UInt64: Int]

    init(_ trace: [Step], _ threads: [ExecutionThread]) {
      self.threads = Dictionary(threads.map { (UInt64($0.identity), $0.id) }) { first, _ in first }
      for step in trace {
        switch step.action {
        case .operation(let operation, _, let read, _):
          for value in [operation.expected, operation.operand, read] { add(value) }
        case .sleeps(_, let expected, let found, _):
          for value in [expected, found] { add(value) }
        default: break
        }
      }
    }

    private static let lowBits: UInt64 = 15

    /// Whether the value can be the address of an object: programs use no numbers that great.
    private static func isAddress(_ value: UInt64) -> Bool { (1 << 40..<1 << 47).contains(value) }

    private mutating func add(_ value: UInt64) {
      let address = value & ~Self.lowBits
      if Self.isAddress(value), addresses[address] == nil { addresses[address] = addresses.count }
    }

    /// Whether the value is the number of a thread beside flags, as in a lock's word.
    func isOfThread(_ value: UInt64) -> Bool {
      let number = value & UInt64(ThreadIdentity.mask)
      // Small numbers may be counts.
      return value >> 32 == 0 && number > 255 && threads[number] != nil
    }

    func text(_ value: UInt64) -> String {
      if let number = addresses[value & ~Self.lowBits] {
        let rest = value & Self.lowBits
        return rest == 0 ? "p\(number)" : "p\(number)+\(rest)"
      }
      if isOfThread(value) {
        let number = value & UInt64(ThreadIdentity.mask)
        let name = "T\(threads[number]!)"
        return value == number ? name : "\(Self.hex(value - number))+\(name)"
      }
      return Self.hex(value)
    }

    private static func hex(_ value: UInt64) -> String {
      value < 10 ? String(value) : "0x" + String(value, radix: 16)
    }
  }
#endif
