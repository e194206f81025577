import Observers
import Lifecycles
import TestSupport
import Testing
import ViewModels

@MainActor
@Suite(.timeLimit(.minutes(20))) struct DataTransformTests {
  private struct Failure: Error, Equatable {}

  /// An observer that records its notifications.
  private final class Recorder: DataTransformObserver {
    private(set) var log: [String] = []
    private let name: String

    init(_ name: String = "") { self.name = name }

    func dataTransformDidStart(_ transform: DataTransform) {
      MainActor.preconditionIsolated()
      log.append("\(name)start \(transform.pending)")
    }

    func dataTransformDidStop(_ transform: DataTransform) {
      MainActor.preconditionIsolated()
      log.append("\(name)stop \(transform.pending)")
    }
  }

  /// An observer that implements no function.
  private final class Silent: DataTransformObserver {}

  @Test func workIsDoneOffTheMainThread() async {
    let transform = DataTransform()
    let begun = Signal()
    let go = Signal()
    async let length = transform.run("abc") { text in
      begun.send()
      go.wait()
      return text.count
    }
    await Task.detached { begun.wait() }.value
    // The running work does not block the main thread, so the test can end the work here.
    go.send()
    #expect(await length == 3)
  }

  @Test func errorsPassThrough() async {
    let transform = DataTransform()
    await #expect(throws: Failure()) {
      try await transform.run(1) { (_: Int) throws(Failure) -> Int in throw Failure() }
    }
    #expect(await transform.run(1) { $0 + 1 } == 2)
  }

  @Test func observersAreNotifiedInOrder() async {
    let transform = DataTransform()
    let recorder = Recorder()
    let silent = Silent()
    let registration = transform.observe(by: recorder)
    let other = transform.observe(by: silent)
    for number in 1...3 { _ = await transform.run(number) { $0 } }
    await transform.idle()
    let one = ["start 1", "stop 0"]
    #expect(recorder.log == one + one + one)
    registration.end()
    other.end()
    _ = await transform.run(4) { $0 }
    await transform.idle()
    #expect(recorder.log.count == 6)
  }

  @Test func waitingWorkItemsAreCounted() async {
    let transform = DataTransform()
    let recorder = Recorder()
    let registration = transform.observe(by: recorder)
    let go = Signal()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<3 {
        group.addTask { await transform.run(number) { _ in go.wait() } }
      }
      while transform.pending < 3 { await Task.yield() }
      go.send()
    }
    await transform.idle()
    #expect(recorder.log == ["start 1", "start 2", "start 3", "stop 2", "stop 1", "stop 0"])
    registration.end()
  }
}
