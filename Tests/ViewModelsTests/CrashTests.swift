import TestSupport
import Testing
import ViewModels

/// Tests that misuse of the view models traps with a message; each test runs in a process of its own.
@Suite struct CrashTests {
  enum Misuse: String, CaseIterable {
    case readingBehindTheEnd, changingBeforeTheBeginning, removingFromNothing, insertingBehindTheEnd
    case negativeWorkers, startingBesideWorkers, speedThatIsNone, backlogForNothing
    case waitingOnTheMainThread, waitingInACallback
    case stepOfZero, actionWithANegativeStep, negativePointUpdates, negativeUploads, negativeUploadTimeout
    case controllerReleasedWhileActive

    /// The message of the trap, after "Interlock: ".
    var message: String {
      switch self {
      case .readingBehindTheEnd: "RowTree: index 2 of a list of 2; compare with count first"
      case .changingBeforeTheBeginning: "RowTree: index -1 of a list of 2; compare with count first"
      case .removingFromNothing: "RowTree: index 0 of a list of 0; compare with count first"
      case .insertingBehindTheEnd: "RowTree: index 4 of a list of 2; compare with count first"
      case .negativeWorkers: "RowsViewModel: started with -1 workers; pass 0 or more"
      case .startingBesideWorkers:
        "RowsViewModel: started while its workers run; stop them first, or restart"
      case .speedThatIsNone: "RowsViewModel: a speed of nan; pass a positive one, or infinity"
      case .backlogForNothing: "RowsViewModel: a backlog of 0 edits; pass at least 1"
      case .waitingOnTheMainThread, .waitingInACallback:
        "RowsViewModel: waits for room on the main thread, which makes the room; "
          + "use apply(_:), or await applyWaiting(_:)"
      case .stepOfZero: "PlayerState: given a step of 0; pass a number of at least 1"
      case .actionWithANegativeStep: "PlayerState: given a step of -2; pass a number of at least 1"
      case .negativePointUpdates, .negativeUploads:
        "PlayerState: given a limit of -1; pass a number of at least 0"
      case .negativeUploadTimeout:
        "PlayerViewModel: given an upload timeout of -1.0 seconds; pass .zero or more"
      case .controllerReleasedWhileActive:
        "Lifecycle \"BusyController\": deallocated while active; "
          + "call invalidate() before releasing the last reference"
      }
    }

    @MainActor
    func commit() {
      var tree = RowTree([1, 2])
      var configuration = RowsConfiguration()
      switch self {
      case .readingBehindTheEnd: _ = tree[2]
      case .changingBeforeTheBeginning: tree[-1] += 1
      case .removingFromNothing:
        tree = RowTree([])
        tree.remove(at: 0)
      case .insertingBehindTheEnd: tree.insert(3, at: 4)
      case .negativeWorkers: RowsViewModel().restart(workers: -1)
      case .startingBesideWorkers:
        let model = RowsViewModel()
        model.restart(workers: 1)
        model.start(workers: 1)
      case .speedThatIsNone:
        configuration.speed = .nan
        _ = RowsViewModel(configuration)
      case .backlogForNothing:
        configuration.backlogLimit = 0
        _ = RowsViewModel(configuration)
      case .waitingOnTheMainThread:
        configuration.backlogLimit = 1
        let model = RowsViewModel(configuration)
        for _ in 0..<2 { model.applyWaiting(.insert("a", at: .index(0))) }
      case .waitingInACallback:
        configuration.backlogLimit = 1
        let model = RowsViewModel(configuration)
        let observer = RecordingObserver(model)
        observer.onCall = { for _ in 0..<2 { model.applyWaiting(.insert("a", at: .index(0))) } }
        model.apply(.insert("a", at: .index(0)))
        model.deliverPending()
      case .stepOfZero: _ = PlayerState(step: 0)
      case .actionWithANegativeStep: PlayerViewModel(uploader: PromptUploader()).perform(.setStep(-2))
      case .negativePointUpdates: _ = PlayerState(pointUpdateLimit: -1)
      case .negativeUploads: _ = PlayerState(uploadLimit: -1)
      case .negativeUploadTimeout:
        _ = PlayerViewModel(uploader: PromptUploader(), uploadTimeout: .seconds(-1))
      case .controllerReleasedWhileActive: BusyController(of: DataTransform()).activate()
      }
    }
  }

  @Test(arguments: Misuse.allCases)
  func misuseTraps(_ misuse: Misuse) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = misuse.rawValue as String] in
      await Misuse(rawValue: name)!.commit()
    }
    #expect(result?.standardErrorContent.trap == misuse.message)
  }

  @Test func aLimitOfZeroIsAllowed() {
    #expect(PlayerState(pointUpdateLimit: 0, uploadLimit: 0).isUploadLimitReached)
  }
}
