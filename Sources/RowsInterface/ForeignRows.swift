public import CRows
internal import AtomicProperties
internal import Lifecycles
public import ViewModels

/// Rows that a core in another language owns and edits, for a `RowsViewModel` to show.
///
/// The core is a table of C functions; the header `interlock_rows.h` says what each has to do and when it is
/// called.
///
/// ```swift
/// var table = interlock_rows_core()
/// open_core(&table)                                              // the core fills it in
/// let core = unsafe ForeignRows(table)
/// let model = RowsViewModel(RowsConfiguration(), core: core)!    // its threads post edits from now on
/// model.observer = controller
/// model.restart(workers: 8)                                      // eight threads of the core
/// …
/// core.invalidate()                                              // they are joined; no more calls
/// ```
///
/// - **The end**: `invalidate()`, or the last reference to this and to the model. The core may also end
///   itself. Then the model keeps its last rows, and edits return `false`.
/// - **Blocking**: what the core's functions wait for. `invalidate()` also waits for calls that are under
///   way.
/// - **Deadlocks it permits**: `invalidate()` on a thread that the core joins, or that holds what a function
///   of the core waits for.
public final class ForeignRows: Sendable {
  /// The core's functions.
  @safe
  private struct Table: @unchecked Sendable {
    // Sendable and safe: the core promises that its functions may be called on the threads that the header
    // names.
    let core: interlock_rows_core
  }

  private let table: Table
  private let lifecycle = Lifecycle("ForeignRows")
  /// Whether a model has taken it.
  private let isTaken = AtomicProperty(false)
  /// The handle of the sink; 0 where there is none.
  private let sink = AtomicProperty<UInt64>(0)
  /// Whether `destroy_user` is to be called: a model was created.
  private let isAccepted = AtomicProperty(false)

  /// Sets a core up; none of its functions is called yet.
  ///
  /// - Parameter core: The table of its functions. They must keep the promises that the header asks of them:
  ///   `user` is used on several threads.
  @unsafe
  public init(_ core: interlock_rows_core) {
    unsafe table = Table(core: core)
  }

  deinit {
    invalidate()
  }

  /// Ends the core: its threads are joined, and it is not called again; the model keeps the rows that it has.
  ///
  /// It may be called several times, and on any thread but the core's own. When the first call returns,
  /// `destroy_user` has been called.
  public func invalidate() {
    end(saying: true)
  }

  /// How many edits of cores were refused so far in this process: each is a mistake of a core.
  public static var refusedEdits: UInt64 { CoreSink.refusals }

  /// A model was created: from now on `user` belongs to this.
  func accept() {
    isAccepted.exchange(true)
  }

  /// - Parameter saysSo: Whether the core does not know yet.
  private func end(saying saysSo: Bool) {
    let wasActive = lifecycle.state == .active
    lifecycle.invalidate {
      guard wasActive else { return }
      if saysSo { CoreCalls.inside { unsafe table.core.invalidate(table.core.user) } }
      let sink = Handles.sinks.remove(sink.value)
      sink?.inbox.close()
      if isAccepted.value { unsafe table.core.destroy_user?(table.core.user) }
    }
  }
}

extension ForeignRows: RowsCore {
  package func activate(_ inbox: RowsInbox) -> Bool {
    if isTaken.exchange(true) { return false }
    let handle = Handles.sinks.insert(CoreSink(inbox) { [weak self] in self?.end(saying: false) })
    sink.exchange(handle)
    do throws(Refusal) {
      try lifecycle.activate { () throws(Refusal) in
        var sink = unsafe interlock_rows_sink(
          size: MemoryLayout<interlock_rows_sink>.size, handle: handle, post: postToSink, end: endSink)
        let status = CoreCalls.inside { unsafe table.core.activate(table.core.user, &sink) }
        if status != interlock_rows_status(INTERLOCK_ROWS_OK) { throw Refusal(INTERLOCK_ROWS_REFUSED) }
      }
      return lifecycle.state == .active
    } catch {
      _ = Handles.sinks.remove(handle)
      return false
    }
  }

  /// Calls a function of the core, unless it has ended.
  private func call<R: Sendable>(_ function: (interlock_rows_core) -> R) -> R? {
    lifecycle.whileActive { CoreCalls.inside { unsafe function(table.core) } }
  }

  /// The same for a function that returns a status, which is counted where it is not OK.
  private func succeeds(_ function: (interlock_rows_core) -> interlock_rows_status) -> Bool {
    guard let status = unsafe call(function) else { return false }
    if status == interlock_rows_status(INTERLOCK_ROWS_OK) { return true }
    CoreSink.countRefusal()
    return false
  }

  package func begin(generation: Int, firstID: UInt64, texts: [String]) -> Bool {
    unsafe texts.withRowsTexts { rows in
      unsafe succeeds { core in
        var beginning = unsafe interlock_rows_beginning(
          generation: UInt64(generation), rows: rows.baseAddress, count: rows.count, first_id: firstID)
        return unsafe core.begin(core.user, &beginning)
      }
    }
  }

  package func start(workers count: Int, speed: Double, seed: UInt64) {
    _ = unsafe succeeds { core in
      var crew = interlock_rows_crew(count: count, speed: speed, seed: seed)
      return unsafe core.start(core.user, &crew)
    }
  }

  package func stop() {
    unsafe call { unsafe $0.stop($0.user) }
  }

  package var running: Int {
    unsafe call { unsafe $0.running?($0.user) ?? 0 } ?? 0
  }

  package func apply(_ command: RowCommand) -> Bool {
    let (change, position, text): (Int, RowPosition, String) =
      switch command {
      case .insert(let text, let position): (INTERLOCK_ROWS_INSERTED, position, text)
      case .append(let text, let position): (INTERLOCK_ROWS_MODIFIED, position, text)
      case .remove(let position): (INTERLOCK_ROWS_REMOVED, position, "")
      }
    let (kind, value): (Int, UInt64)
    switch position {
    case .index(let index):
      guard index >= 0 else { return false }
      (kind, value) = (INTERLOCK_ROWS_AT_INDEX, UInt64(index))
    case .share(let share): (kind, value) = (INTERLOCK_ROWS_AT_SHARE, share)
    }
    let status = unsafe text.withCharacters { text in
      unsafe call { core in
        var edit = unsafe interlock_rows_edit(
          change: UInt32(change), position: interlock_rows_position(kind: UInt32(kind), value: value),
          text: text)
        return unsafe core.edit(core.user, &edit)
      }
    }
    return status == interlock_rows_status(INTERLOCK_ROWS_OK)
  }

  package func read(_ body: (CoreRows) -> Bool) -> Bool {
    withoutActuallyEscaping(body) { body in
      let reading = CoreReading(body)
      let isRead = unsafe succeeds { core in
        // Sound: the object outlives the call, and the core keeps no pointer to it.
        var reader = unsafe interlock_rows_reader(
          reader: Unmanaged.passUnretained(reading).toOpaque(),
          row: readRow, end: endReading)
        return unsafe core.read(core.user, &reader)
      }
      // One that has said OK and not given its rows has not kept its promise.
      if isRead, !reading.isRight { CoreSink.countRefusal() }
      return reading.hasEnded
    }
  }
}

/// The rows that a core reports, while it reports them.
private final class CoreReading {
  private var rows: [Row] = []
  private let body: (CoreRows) -> Bool
  /// Whether all rows were right so far, and at the end those of the edits that were posted.
  private(set) var isRight = false
  private var hasWrongRow = false
  /// Whether the body was called.
  private(set) var hasEnded = false

  init(_ body: @escaping (CoreRows) -> Bool) {
    self.body = body
  }

  static func at(_ reader: UnsafeMutableRawPointer?) -> CoreReading? {
    // Sound: it is the pointer that `read` has passed, if the core keeps its promise.
    unsafe reader.map { unsafe Unmanaged<CoreReading>.fromOpaque($0).takeUnretainedValue() }
  }

  func add(_ id: UInt64, _ bytes: UnsafePointer<CChar>?, _ length: Int) {
    do throws(Refusal) {
      let row = unsafe Row(id: id, text: try text(bytes, length))
      if id > RowsInbox.greatestID { throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT) }
      if !hasEnded { rows.append(row) }
    } catch {
      hasWrongRow = true
    }
  }

  func end(generation: UInt64, sequence: UInt64) {
    if hasEnded || hasWrongRow { return }
    hasEnded = true
    isRight = body(CoreRows(rows: rows, generation: Int(exactly: generation) ?? -1, sequence: sequence))
  }
}

// Functions and no closures: those would be of the main actor, where the code is that passes them.

private func readRow(
  _ reader: UnsafeMutableRawPointer?, _ id: UInt64, _ bytes: UnsafePointer<CChar>?, _ length: Int
) {
  unsafe CoreReading.at(reader)?.add(id, bytes, length)
}

private func endReading(_ reader: UnsafeMutableRawPointer?, _ generation: UInt64, _ sequence: UInt64) {
  unsafe CoreReading.at(reader)?.end(generation: generation, sequence: sequence)
}

extension RowsViewModel {
  /// Makes a model that shows the rows of a core, without workers; `nil` where the core refuses, has ended or
  /// belongs to a model.
  ///
  /// It activates the core and begins the first generation. All else is as with rows of the model's own:
  /// observers, watchers, batches, generations and the audit.
  ///
  /// - Parameters:
  ///   - configuration: How it works; `strategy`, `commandLimit`, `clock` and `makeRandom` mean nothing here.
  ///     A speed that is not positive traps, and so does a negative number of bytes.
  ///   - core: The core. The model keeps it alive.
  public convenience init?(_ configuration: RowsConfiguration, core: ForeignRows) {
    self.init(configuration, owner: core)
    core.accept()
  }
}

// MARK: Texts on their way out

extension String {
  /// Calls `body` with the text as the other language sees it.
  @inline(__always)
  func withCharacters<R>(_ body: (interlock_rows_text) -> R) -> R {
    // Without a copy of the text, which costs a retain and a release.
    let result = unsafe utf8.withContiguousStorageIfAvailable { unsafe body(Self.characters($0)) }
    if let result { return result }
    // A text that is bridged from another class, on Apple's systems.
    var copy = self
    return copy.withUTF8 { unsafe body(Self.characters($0)) }
  }

  @inline(__always)
  private static func characters(_ bytes: UnsafeBufferPointer<UInt8>) -> interlock_rows_text {
    // Sound: nobody writes to the memory while it is lent, and a byte is a `CChar`.
    let first = unsafe UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
    return unsafe interlock_rows_text(bytes: first, length: bytes.count)
  }
}

extension [String] {
  /// Calls `body` with all texts, which are in one piece of memory.
  fileprivate func withRowsTexts<R>(_ body: (UnsafeBufferPointer<interlock_rows_text>) -> R) -> R {
    var bytes: [CChar] = []
    var ends: [Int] = []
    for text in self {
      bytes += text.utf8.map { CChar(bitPattern: $0) }
      ends.append(bytes.count)
    }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      let texts = unsafe ends.map { end in
        defer { start = end }
        // Sound: `start` is at most the number of bytes.
        return unsafe interlock_rows_text(
          bytes: bytes.baseAddress.map { unsafe $0 + start }, length: end - start)
      }
      return unsafe texts.withUnsafeBufferPointer { unsafe body($0) }
    }
  }
}
