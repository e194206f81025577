import AtomicProperties
import Exploration
import Synchronization
import TestSupport
import Testing

/// Checks that the atomic properties are linearizable, by comparing histories of small concurrent runs with a
/// sequential model.
@Suite struct LinearizabilityTests {
  /// The sequential model of every tested property: a number that operations read and change one after
  /// another.
  struct Register: SequentialModel {
    var value = 0

    enum Operation: Sendable {
      case load
      case store(Int)
      case exchange(Int)
      case compareExchange(expected: Int, desired: Int)
      case add(Int)

      /// A random operation.
      ///
      /// The operation uses one of a few numbers, so that comparisons often succeed.
      static func random(using random: inout some RandomNumberGenerator) -> Operation {
        let number = Int.random(in: 0...3, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return .load
        case 1: return .store(number)
        case 2: return .exchange(number)
        case 3: return .compareExchange(expected: number, desired: Int.random(in: 0...3, using: &random))
        default: return .add(number + 1)
        }
      }
    }

    /// Applies an operation to the number.
    ///
    /// - Returns: The number before the operation; `nil` for `store` and `add`, which return nothing.
    mutating func apply(_ operation: Operation) -> Int? {
      let old = value
      switch operation {
      case .load: return old
      case .store(let new):
        value = new
        return nil
      case .exchange(let new):
        value = new
        return old
      case .compareExchange(let expected, let desired):
        if old == expected { value = desired }
        return old
      case .add(let operand):
        value += operand
        return nil
      }
    }
  }

  typealias Perform = @Sendable (Register.Operation) -> Int?

  /// A kind of property to test.
  ///
  /// `make` makes a property, and returns a function that performs operations on it.
  struct Subject: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> Perform

    static let all = [
      assignable("AtomicProperty") { AtomicProperty(0) },
      assignable("QueueProperty") { QueueProperty(0) },
      Subject(testDescription: "LockFreeProperty") {
        let property = LockFreeProperty(0)
        return { operation in
          switch operation {
          case .load: return property.value
          case .store(let new):
            property.store(new, ordering: .releasing)
            return nil
          case .exchange(let new): return property.exchange(new, ordering: .acquiringAndReleasing)
          case .compareExchange(let expected, let desired):
            return property.compareExchange(
              expected: expected, desired: desired, ordering: .acquiringAndReleasing
            ).original
          case .add(let operand):
            property.wrappingAdd(operand, ordering: .acquiringAndReleasing)
            return nil
          }
        }
      },
    ]

    private static func assignable(
      _ name: String, _ make: @escaping @Sendable () -> some AssignableProperty<Int>
    ) -> Subject {
      Subject(testDescription: name) {
        let property = make()
        return { operation in
          switch operation {
          case .load: return property.value
          case .store(let new):
            property.value = new
            return nil
          case .exchange(let new): return property.exchange(new)
          case .compareExchange(let expected, let desired):
            return property.compareExchange(expected: expected, desired: desired).original
          case .add(let operand):
            property.value += operand
            return nil
          }
        }
      }
    }
  }

  @Test(arguments: Subject.all)
  func historiesAreLinearizable(subject: Subject) {
    for run in 0..<StressSize.pick(quick: 150, full: 10_000) {
      let programs = (0..<3).map { thread in
        var random = Seed.current.generator(stream: 3 * run + thread)
        return (0..<6).map { _ in Register.Operation.random(using: &random) }
      }
      let history = history(of: Register.self, programs, subject.make())
      guard Register().explains(history) else {
        Issue.record("run \(run) has no sequential order: \(history); \(Seed.current)")
        return
      }
    }
  }
}
