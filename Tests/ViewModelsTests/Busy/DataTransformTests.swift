import Observers
import Lifecycles
import TestSupport
import Testing
import ViewModels

@MainActor
@Suite(.timeLimit(.minutes(20))) struct DataTransformTests {
  /// An observer that records its notifications.
  private final class Recorder: DataTransformObserver {
    private(set) var log: [String] = []

    func dataTransformDidStart(_ transform: DataTransform) {
      MainActor.preconditionIsolated()
      log.append("start \(transform.pending)")
    }

    func dataTransformDidStop(_ transform: DataTransform) {
      MainActor.preconditionIsolated()
      log.append("stop \(transform.pending)")
    }
  }

  /// An observer that implements no function.
  private final class Silent: DataTransformObserver {}

  @Test("observers are notified in order, and waiting work items are counted")
  func notifications() async {
    let transform = DataTransform()
    let (recorder, silent) = (Recorder(), Silent())
    let registration = transform.observe(by: recorder)
    let other = transform.observe(by: silent)
    let go = Signal()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<3 {
        group.addTask { await transform.run(number) { _ in go.wait() } }
      }
      while transform.pending < 3 { await Task.yield() }
      go.send()
    }
    await transform.idle()
    _ = await transform.run(3) { $0 }
    await transform.idle()
    registration.end()
    other.end()
    withExtendedLifetime(silent) {}
    _ = await transform.run(4) { $0 }
    await transform.idle()
    let together = ["start 1", "start 2", "start 3", "stop 2", "stop 1", "stop 0"]
    #expect(recorder.log == together + ["start 1", "stop 0"])
  }
}
