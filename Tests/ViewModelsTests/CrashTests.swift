import TestSupport
import Testing
import ViewModels

/// Tests that misuse of the view models traps with a message; each is committed in a process of its own.
@Suite struct CrashTests {
  private static let comparing = "compare with count first"

  private static let waiting =
    "RowsViewModel: waits for room on the main thread, which makes the room; "
    + "use apply(_:), or await applyWaiting(_:)"

  private static let misuses = [
    Misuse("RowTree: index 2 of a list of 2", comparing) { _ = RowTree([1, 2])[2] },
    Misuse("RowTree: index -1 of a list of 2", comparing) {
      var tree = RowTree([1, 2])
      tree[-1] += 1
    },
    Misuse("RowTree: index 0 of a list of 0", comparing) {
      var tree = RowTree<Int>([])
      tree.remove(at: 0)
    },
    Misuse("RowTree: index 4 of a list of 2", comparing) {
      var tree = RowTree([1, 2])
      tree.insert(3, at: 4)
    },
    Misuse("RowsViewModel: started with -1 workers", "pass 0 or more") { @MainActor in
      RowsViewModel().restart(workers: -1)
    },
    Misuse("RowsViewModel: started while its workers run", "stop them first, or restart") { @MainActor in
      let model = RowsViewModel()
      model.restart(workers: 1)
      model.start(workers: 1)
    },
    Misuse("RowsViewModel: a speed of nan", "pass a positive one, or infinity") { @MainActor in
      _ = RowsViewModel(.testing { $0.speed = .nan })
    },
    Misuse("RowsViewModel: a backlog of 0 edits", "pass at least 1") { @MainActor in
      _ = RowsViewModel(.testing { $0.backlogLimit = 0 })
    },
    Misuse(waiting) { @MainActor in
      waitForRoom(in: RowsViewModel(.testing { $0.backlogLimit = 1 }))
    },
    // In a callback.
    Misuse(waiting) { @MainActor in
      let model = RowsViewModel(.testing { $0.backlogLimit = 1 })
      let observer = RecordingObserver(model)
      observer.onCall = { waitForRoom(in: model) }
      model.apply(.insert("a", at: .index(0)))
      model.deliverPending()
    },
    Misuse("PlayerState: given a step of 0", "pass a number of at least 1") { _ = PlayerState(step: 0) },
    Misuse("PlayerState: given a step of -2", "pass a number of at least 1") { @MainActor in
      PlayerViewModel(uploader: PromptUploader()).perform(.setStep(-2))
    },
    Misuse("PlayerState: given a limit of -1", "pass a number of at least 0") {
      _ = PlayerState(pointUpdateLimit: -1)
    },
    Misuse("PlayerState: given a limit of -1", "pass a number of at least 0") {
      _ = PlayerState(uploadLimit: -1)
    },
    Misuse("PlayerViewModel: given an upload timeout of -1.0 seconds", "pass .zero or more") { @MainActor in
      _ = PlayerViewModel(uploader: PromptUploader(), uploadTimeout: .seconds(-1))
    },
    Misuse(
      "Lifecycle \"BusyController\": deallocated while active",
      "call invalidate() before releasing the last reference"
    ) { @MainActor in
      BusyController(of: DataTransform()).activate()
    },
  ]

  @MainActor private static func waitForRoom(in model: RowsViewModel) {
    for _ in 0..<2 { model.applyWaiting(.insert("a", at: .index(0))) }
  }

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
  }

  @Test func aLimitOfZeroIsAllowed() {
    #expect(PlayerState(pointUpdateLimit: 0, uploadLimit: 0).isUploadLimitReached)
  }
}
