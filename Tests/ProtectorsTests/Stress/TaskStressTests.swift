import InterlockCore
import TestSupport
import Testing

@testable import Protectors

/// Tests protectors with thousands of tasks, which wait for predicates or observe values.
///
/// Some of the tasks time out, are cancelled or throw errors.
@Suite(.serialized) struct TaskStressTests {
  private struct Stock: Sendable {
    var elements = 0
    var isClosed = false
  }

  private struct Refused: Error {}

  @Test(.timeLimit(.minutes(10))) func noElementIsLost() async {
    let stock = Protector(Stock())
    let isUsable = stock.condition { $0.elements > 0 || $0.isClosed }
    let produced = RelaxedCounter()
    let taken = RelaxedCounter()
    let read = RelaxedCounter()
    await TaskStress.run {
      stock.withWriteLock { $0.isClosed = true }
    } _: { number, random in
      let timeout: Duration? =
        random.happens(percent: 30) ? .microseconds(Int64(random.next() % 2_000)) : nil
      let throwsError = random.happens(percent: 20)
      switch random.next() % 4 {
      case 0:
        stock.withWriteLock { $0.elements += 1 }
        produced.add(1)
      case 1:
        _ = try? await stock.withReadLock(waitingUntil: isUsable, timeout: timeout) { _ in read.add(1) }
      case 2:
        _ = try? await stock.withWriteLock(waitingUntil: isUsable, timeout: timeout) {
          stock throws(Refused) in try take(from: &stock)
        }
      default:
        _ = try? await stock.withWriteLock(
          waitingUntil: { $0.elements > 0 || $0.isClosed }, timeout: timeout
        ) { stock throws(Refused) in try take(from: &stock) }
      }
      @Sendable func take(from stock: inout Stock) throws(Refused) {
        guard stock.elements > 0 else { return }
        stock.elements -= 1
        taken.add(1)
        if throwsError { throw Refused() }
      }
    }
    #expect(stock.value.elements == produced.value - taken.value, "\(Seed.current)")
    #expect(taken.value > 0 && read.value > 0)
    #expect(stock.waiters.isAtRest == true)
  }

  /// Each task must get values in the order in which they were written.
  ///
  /// A task that is neither cancelled nor leaves its loop early must also get the last value.
  @Test(.timeLimit(.minutes(10))) func noTaskGetsAnOlderValueAfterANewerOne() async {
    let last = 20
    let number = Protector(0)
    let mistakes = RelaxedCounter()
    await TaskStress.run {
      number.withWriteLock { $0 = last }
    } _: { task, random in
      if task % 1_000 == 0 { number.withWriteLock { if $0 < last { $0 += 1 } } }
      let leavesEarly = random.happens(percent: 10)
      var newest = -1
      for await value in number.values(of: { $0 }) {
        if value <= newest { mistakes.add(1) }
        newest = value
        if value == last || leavesEarly { break }
      }
      if newest != last, !leavesEarly, !Task.isCancelled { mistakes.add(1) }
    }
    #expect(mistakes.value == 0, "\(Seed.current)")
    #expect(number.waiters.isAtRest == true)
  }
}
