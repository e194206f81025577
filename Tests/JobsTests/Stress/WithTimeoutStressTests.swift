import Jobs
import TestSupport
import Testing

@Suite(.serialized) struct WithTimeoutStressTests {
  /// An operation ends by itself, at its timeout or with its cancelled caller.
  ///
  /// It has ended when its call returns, and the result says what ended it.
  @Test func eachCallSaysWhatEndedIt() async {
    let (running, values, timeouts, cancellations) = (
      RelaxedCounter(), RelaxedCounter(), RelaxedCounter(), RelaxedCounter()
    )
    let strangers = RelaxedCounter()
    await TaskStress.run { number, random in
      // Not synchronized: the call orders the accesses of the operation and of its caller.
      var count = 0
      let timeout = Duration.microseconds(Int64(random.next() % 200))
      let work = random.next() % 2 == 0 ? Duration.microseconds(Int64(random.next() % 200)) : .seconds(3_600)
      do {
        let value = try await withTimeout(timeout) {
          running.add(1)
          count += 1
          defer {
            count += 1
            running.add(-1)
          }
          try await Task.sleep(for: work)
          return number
        }
        values.add(1)
        if value != number { strangers.add(1) }
      } catch is TimeoutError {
        timeouts.add(1)
      } catch {
        cancellations.add(1)
        if !Task.isCancelled { strangers.add(1) }
      }
      if count != 2 { strangers.add(1) }
    }
    #expect(values.value + timeouts.value + cancellations.value == TaskStress.taskCount)
    #expect(running.value == 0)
    #expect(strangers.value == 0, "\(Seed.current)")
    #expect(timeouts.value > 0)
  }
}
