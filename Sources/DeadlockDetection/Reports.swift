#if DeadlockDetection
  internal import CInterlock
  internal import InterlockCore

  extension DeadlockAction {
    /// The action that the environment variable `INTERLOCK_DEADLOCKS` names: `trap` or `print`.
    ///
    /// Without the variable, the action is `trap` in tests and `print` elsewhere. If the variable has another
    /// value, reading this property ends the process with an error message.
    static var standard: DeadlockAction {
      if let name = unsafe interlock_environment("INTERLOCK_DEADLOCKS").map({ unsafe String(cString: $0) }) {
        switch name {
        case "trap": return .trap
        case "print": return .print
        default:
          misuse("DeadlockDetection", "INTERLOCK_DEADLOCKS is '\(name)'", "set it to trap or to print")
        }
      }
      let program = CommandLine.arguments.first ?? ""
      let isTest =
        program.hasSuffix(".xctest") || program.hasSuffix("/xctest")
        || program.contains("swiftpm-testing-helper")
      return isTest ? .trap : .print
    }

    func perform(_ deadlock: DeadlockReport) {
      switch self {
      case .call(let closure): closure(deadlock)
      case .print: unsafe deadlock.text.withCString { unsafe interlock_print_last_words($0) }
      case .trap:
        unsafe deadlock.text.withCString { unsafe interlock_print_last_words($0) }
        if deadlock.kind != .longWait { interlock_trap() }
      }
    }
  }

  /// Makes reports of findings, without repetitions.
  ///
  /// A finding is a repetition if all its sites are in earlier reports. Each report of a finding with sites
  /// therefore has at least one new site.
  enum Reports {
    // Sound: `reported` and `repetitions` are accessed only while the mutex of `interlock_reports_lock` is
    // held.
    private nonisolated(unsafe) static var reported: Set<Finding.Site> = []
    private nonisolated(unsafe) static var repetitions = 0

    private static func exclusively<R>(_ body: () -> R) -> R {
      interlock_reports_lock()
      defer { interlock_reports_unlock() }
      return body()
    }

    /// Returns a report of the finding; `nil` if it has sites and all of them were reported before.
    ///
    /// The caller must not hold the detector's mutex.
    static func write(_ finding: Finding) -> DeadlockReport? {
      exclusively {
        let sites = finding.sites()
        if !sites.isEmpty, unsafe sites.isSubset(of: reported) {
          unsafe repetitions += 1
          return nil
        }
        unsafe reported.formUnion(sites)
        return DeadlockReport(
          kind: finding.kind, locks: finding.locks.map(Finding.name), text: finding.text())
      }
    }

    static var repeated: Int { exclusively { unsafe repetitions } }

    static func forgetAll() {
      exclusively {
        unsafe reported = []
        unsafe repetitions = 0
      }
    }
  }

  /// A thread or a task that acquires locks.
  enum Party: Hashable {
    case thread(UInt32)
    /// A task, with the result of `interlock_task_id`.
    case task(UInt64)

    var name: String {
      switch self {
      case .thread(let number): "thread \(number)"
      case .task(let number): "task 0x\(String(number, radix: 16))"
      }
    }

    /// The word for several parties in reports: `threads` if there is a thread among them, otherwise `tasks`.
    static func plural(_ parties: [Party]) -> String {
      let hasThread = parties.contains { if case .thread = $0 { true } else { false } }
      return hasThread ? "threads" : "tasks"
    }
  }

  extension LockingThread {
    var party: Party { .thread(locks.number) }
  }
#endif
