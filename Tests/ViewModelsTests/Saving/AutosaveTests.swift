import AtomicProperties
import Dispatch
import Lifecycles
import Protectors
import TestSupport
import Testing
import ViewModels

/// Tests that changed rows are saved a moment later, on the queue for files.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct AutosaveTests {
  struct Full: Error {}

  private let files = DispatchQueue(label: "files")
  private let saved = AtomicProperty<[[String]]>([])

  private func autosave(
    delay: Duration = .zero, onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
  ) -> Activation<Autosave> {
    var setup = Setup<Autosave>(Autosave.Configuration(filesOn: files))
    setup.configuration.delay = delay
    setup.configuration.onFailure = onFailure
    let activation = setup.activate()
    activation.object.add { [saved] rows in saved.value.append(rows.texts) }
    return activation
  }

  private func rows(_ texts: String...) -> RowsSnapshot {
    RowsViewModel(.testing { $0.initialRows = texts }).rows
  }

  @Test("each change is saved, and the newest rows are saved last")
  func changes() async {
    let activation = autosave()
    activation.object.rowsChanged(to: rows("a"))
    #expect(await activation.object.waitUntilSaved())
    #expect(saved.value == [["a"]])
    for number in 0..<100 { activation.object.rowsChanged(to: rows("\(number)")) }
    #expect(await activation.object.waitUntilSaved())
    #expect(saved.value.last == ["99"] && saved.value.count <= 101)
    #expect(activation.object.saveCount == saved.value.count)
    await activation.invalidate()
  }

  @Test("threads that change rows at once lose no last change")
  func threads() async {
    let activation = autosave()
    let (autosave, texts) = (activation.object, (0..<200).map { rows("\($0)") })
    race(threads: 4) { thread in
      for number in 0..<50 { autosave.rowsChanged(to: texts[thread * 50 + number]) }
    }
    #expect(await autosave.waitUntilSaved())
    autosave.rowsChanged(to: rows("last"))
    #expect(await autosave.waitUntilSaved())
    #expect(saved.value.last == ["last"])
    await activation.invalidate()
  }

  @Test("a save waits for the earlier work of the files' queue")
  func inOrder() async {
    let activation = autosave()
    let (begun, goOn, saved) = (Signal(), Signal(), saved)
    let before = AtomicProperty(-1)
    files.async {
      begun.send()
      goOn.wait()
      before.value = saved.value.count
    }
    begun.wait()
    activation.object.rowsChanged(to: rows("a"))
    goOn.send()
    #expect(await activation.object.waitUntilSaved())
    #expect(before.value == 0 && saved.value == [["a"]])
    await activation.invalidate()
  }

  @Test("a change does not wait for a running save, and is saved after it")
  func besideSave() async {
    let activation = autosave()
    let (begun, goOn) = (Signal(), Signal())
    activation.object.add { _ in
      begun.send()
      goOn.wait()
    }
    activation.object.rowsChanged(to: rows("a"))
    begun.wait()
    activation.object.rowsChanged(to: rows("b"))
    activation.object.rowsChanged(to: rows("c"))
    goOn.send()
    await activation.invalidate()
    #expect(saved.value.last == ["c"] && (2...3).contains(saved.value.count))
  }

  @Test("a change beside an endless delay is saved at the end, and none after it")
  func end() async {
    let activation = autosave(delay: .seconds(1_000_000))
    let autosave = activation.object
    autosave.rowsChanged(to: rows("a"))
    autosave.rowsChanged(to: rows("b"))
    await activation.invalidate()
    #expect(saved.value == [["b"]])
    autosave.rowsChanged(to: rows("c"))
    #expect(await autosave.waitUntilSaved())
    #expect(saved.value == [["b"]] && autosave.saveCount == 1)
  }

  @Test("a writer that fails is reported, and others write all the same")
  func failure() async {
    let failures = AtomicProperty(0)
    let activation = autosave { error in if error is Full { failures.value += 1 } }
    var isFirst = true
    activation.object.add { _ in
      defer { isFirst = false }
      if isFirst { throw Full() }
    }
    activation.object.rowsChanged(to: rows("a"))
    #expect(await activation.object.waitUntilSaved())
    activation.object.rowsChanged(to: rows("b"))
    await activation.invalidate()
    #expect(failures.value == 1 && saved.value == [["a"], ["b"]])
  }

  @Test("a writer that is added during a save waits for its end")
  func adding() async {
    let activation = autosave()
    let (begun, goOn, isOver) = (Signal(), Signal(), AtomicProperty(false))
    activation.object.add { _ in
      begun.send()
      goOn.wait()
      isOver.value = true
    }
    activation.object.rowsChanged(to: rows("a"))
    begun.wait()
    let (autosave, isAdding, wasOver) = (activation.object, Signal(), AtomicProperty(false))
    let adding = ReaderThread {
      isAdding.send()
      autosave.add { _ in }
      wasOver.value = isOver.value
    }
    isAdding.wait()
    goOn.send()
    adding.join()
    #expect(wasOver.value)
    await activation.invalidate()
  }

  @Test("a writer that adds a writer traps")
  func addingInWriter() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let activation = Setup<Autosave>(Autosave.Configuration(filesOn: DispatchQueue(label: "files")))
        .activate()
      let autosave = activation.object
      autosave.add { _ in autosave.add { _ in } }
      autosave.rowsChanged(to: await MainActor.run { RowsViewModel().rows })
      await activation.invalidate()
    }
    // Only the end of the message is compared, because deadlock detection adds a label at the beginning.
    #expect(
      Trap.message(in: result?.standardErrorContent)?.hasSuffix(
        ": used on the queue 'files' where it must not be on it; leave the queue first, with async to another one"
      )
        == true)
  }

  @Test("a reader sees when changes are not saved yet, and when they are")
  func states() async {
    let activation = autosave(delay: .seconds(1_000_000))
    var states = activation.object.savedStates.makeAsyncIterator()
    #expect(await states.next(isolation: MainActor.shared) == true)
    activation.object.rowsChanged(to: rows("a"))
    #expect(await states.next(isolation: MainActor.shared) == false)
    await activation.invalidate()
    #expect(await states.next(isolation: MainActor.shared) == true)
  }

  @Test("a cancelled task does not wait for a save")
  func cancelledWait() async {
    let activation = autosave(delay: .seconds(1_000_000))
    let autosave = activation.object
    autosave.rowsChanged(to: rows("a"))
    let wait = Task { await autosave.waitUntilSaved() }
    wait.cancel()
    #expect(await !wait.value)
    await activation.invalidate()
  }
}
