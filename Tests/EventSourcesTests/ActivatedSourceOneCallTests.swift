import Dispatch
import EventSources
import InterlockCore
import Lifecycles
import Protectors
import TestSupport
import Testing

/// Sources that are configured, made and activated in one call.
@Suite struct ActivatedSourceOneCallTests {
  private let queue = DispatchQueue(label: "one call")
  private let values = Protector<[UInt]>([])

  /// Waits for `count` events of an active source, and invalidates it; returns the values of the events.
  private func values<Event>(
    _ count: Int = 1, of activation: consuming Activation<ActivatedSource<Event>>,
    _ send: (ActivatedSource<Event>) -> Void = { _ in }
  ) -> [UInt] {
    #expect(activation.object.state == .active)
    send(activation.object)
    onAnotherThread { values.withReadLock(waitingUntil: { $0.count >= count }) { _ in } }
    activation.invalidate()
    return values.exchange([])
  }

  private func record(_ value: UInt) {
    values.withWriteLock { $0.append(value) }
  }

  @Test func timers() {
    let after = ActivatedSource.timer(after: .milliseconds(1), on: queue) { record($0.count) }
    #expect(values(of: after) == [1])
    let again = ActivatedSource.timer(after: .zero, every: .milliseconds(1), on: queue) { record($0.count) }
    #expect(values(3, of: again).count >= 3)
    let every = ActivatedSource.timer(every: .milliseconds(1), on: queue) { record($0.count) }
    #expect(values(3, of: every).count >= 3)
  }

  /// A timer may be late, but never early, so the test checks only a lower bound.
  ///
  /// Of ten timers that begin too early, one is not late.
  @Test func theFirstEventComesAfterOneInterval() {
    for _ in 0..<10 {
      let start = MonotonicClock.now
      let activation = ActivatedSource.timer(every: .milliseconds(20), on: queue) { _ in
        record(UInt(MonotonicClock.now - start))
      }
      #expect(values(of: activation)[0] >= 20_000_000)
    }
  }

  @Test func descriptors() {
    let pipe = Pipe()
    let writing = ActivatedSource.writing(pipe.writer, closesDescriptor: false, on: queue) {
      record($0.byteCount)
    }
    #expect(values(of: writing)[0] > 0)
    let reading = ActivatedSource.reading(pipe.reader, on: queue) { _ in record(UInt(pipe.drain())) }
    #expect(values(of: reading) { _ in pipe.write(count: 100) } == [100])
    Pipe.close(pipe.writer)
  }

  /// The test runs in a process of its own, because it changes how the process reacts to a signal.
  @Test func signals() async {
    await #expect(processExitsWith: .success) {
      ProcessSignal.ignore()
      let count = Protector<UInt>(0)
      let activation = ActivatedSource.signal(ProcessSignal.number, on: DispatchQueue(label: "signals")) {
        event in
        count.withWriteLock { $0 += event.count }
      }
      // The source begins to watch some time after its activation, and misses earlier signals. So the signal
      // is sent repeatedly.
      while count.value == 0 {
        ProcessSignal.send()
        MonotonicClock.sleep(.milliseconds(1))
      }
      await activation.invalidate()
    }
  }

  @Test func userData() {
    let adding = ActivatedSource.adding(on: queue) { record($0.sum) }
    #expect(
      values(of: adding) { source in queue.sync { for number: UInt in [1, 2, 4] { source.add(number) } } }
        == [7])
    let combining = ActivatedSource.combining(on: queue) { record($0.bits) }
    #expect(
      values(of: combining) { source in queue.sync { for bits: UInt in [1, 2, 4] { source.combine(bits) } } }
        == [7])
    let replacing = ActivatedSource.replacing(on: queue) { record($0.value) }
    #expect(
      values(of: replacing) { source in queue.sync { for number: UInt in [1, 2] { source.replace(number) } } }
        == [2])
  }

  @Test func labelsAreThoseOfTheSources() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let activation = ActivatedSource.adding(on: .global(), label: "sums") { _ in }
      activation.object.resume()
      await activation.invalidate()
    }
    #expect(
      result?.standardErrorContent.trap
        == "ActivatedSource \"sums\": resumed more often than suspended; call resume() once for each suspend()"
    )
  }
}
