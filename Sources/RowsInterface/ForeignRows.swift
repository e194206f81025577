public import CRows
internal import Lifecycles
internal import Protectors
public import ViewModels

/// Rows that a core in another language owns and edits, for a `RowsViewModel` to show.
///
/// The core is a table of C functions. The header `interlock_rows_core.h` says what each function must do and
/// when it is called.
///
/// ```swift
/// var table = interlock_rows_core()
/// open_core(&table)                                              // the core fills it in
/// let core = unsafe ForeignRows(table)
/// let model = RowsViewModel(RowsConfiguration(), core: core)!    // the core may post edits from now on
/// model.observer = controller
/// model.restart(workers: 8)                                      // eight threads of the core
/// …
/// core.invalidate()                                              // joins the threads; no more calls
/// ```
///
/// - **End**: `invalidate()` ends the core. Releasing the last references to this object and to its model
///   does so too, and the core may end itself. A model whose core has ended keeps its last rows, and its
///   edits return `false`.
/// - **Blocking**: a call blocks for as long as the core's function blocks. `invalidate()` also waits for
///   running calls, for the creation of the model, and for another thread that ends the core.
/// - **Deadlocks it permits**: `invalidate()` on a thread that the core joins, or on a thread that holds a
///   lock for which a function of the core waits.
public final class ForeignRows: Sendable {
  /// The core's functions.
  @safe
  private struct Table: @unchecked Sendable {
    // `Table` is `@unchecked Sendable` and `@safe`, which is sound: `interlock_rows_core.h` says which
    // functions are called on any thread, and every core must permit that.
    let core: interlock_rows_core
  }

  /// The state of the core, which determines what `end(calling:)` must clean up.
  ///
  /// The body of `lifecycle.activate` writes this value. The body of `lifecycle.invalidate` begins only after
  /// the body of `activate` has ended, so it reads the final value.
  private struct Course: Sendable {
    /// Whether a model has taken this core.
    var isTaken = false
    var inbox: RowsInbox?
    /// The handle of the `CoreSink` to which the core posts its edits; 0 until a model uses the core.
    var sink: UInt64 = 0
    /// Whether the core's function `activate` has succeeded.
    ///
    /// If it has not, `end(calling:)` calls no function of the core.
    var isActivated = false
    /// Whether the core has begun its first generation, so that a model shows the core's rows.
    ///
    /// Only then does `end(calling:)` call `destroy_user`. Otherwise `user` still belongs to the code that
    /// made the table.
    var isAccepted = false
  }

  private let table: Table
  private let lifecycle = Lifecycle(label: "ForeignRows")
  private let course = ExclusiveProtector(Course())
  /// Whether the core has been ended completely, so that none of its functions is called any more.
  private let isOver = Protector(false)

  /// Makes an object for a core, and calls none of its functions yet.
  ///
  /// - Parameter core: The table of the core's functions. They must do what `interlock_rows_core.h` demands
  ///   of a core. In particular, several threads may call them with `user` at the same time.
  @unsafe
  public init(_ core: interlock_rows_core) {
    unsafe table = Table(core: core)
  }

  deinit {
    invalidate()
  }

  /// Ends the core: the core joins its threads, and none of its functions is called afterwards.
  ///
  /// The model keeps the rows that it has. Only the first call ends the core. When any call returns, the core
  /// has ended, even if another thread ended it, and `destroy_user` has been called if the core had a model.
  /// A call on one of the core's own threads, or on a thread for which a function of the core waits, can
  /// deadlock.
  public func invalidate() {
    if !end(calling: true) { isOver.withReadLock(waitingUntil: { $0 }) { _ in } }
  }

  /// The number of mistakes that the cores of all `ForeignRows` have made in this process.
  ///
  /// A mistake is an edit that the model refuses, or a call of a core's function that fails.
  public static var refusedEdits: UInt64 { CoreSink.refusals }

  /// Ends the core.
  ///
  /// - Parameter callsInvalidate: Whether to call the core's function `invalidate`; false if the core has
  ///   ended itself.
  /// - Returns: Whether this call has ended the core; false if another call has already begun to end it. This
  ///   function then does not wait for that end, because its caller may be a thread that the other call
  ///   joins.
  private func end(calling callsInvalidate: Bool) -> Bool {
    lifecycle.invalidate {
      let course = course.snapshot
      if course.isActivated {
        if callsInvalidate {
          unsafe callUnchecked { unsafe $0.invalidate($0.user) }
        } else if let inbox = course.inbox, !inbox.closeIfComplete() {
          _ = unsafe readRows(calling: { unsafe callUnchecked($0) }) { inbox.close($0) }
        }
        _ = Handles.sinks.remove(course.sink)
        course.inbox?.close()
        if course.isAccepted { unsafe callUnchecked { unsafe $0.destroy_user?($0.user) } }
      }
      isOver.withWriteLock { $0 = true }
    }
  }
}

extension ForeignRows: RowsCore {
  package func activate(_ inbox: RowsInbox, beginning begin: () -> Bool) -> Bool {
    let isMine = course.withLock { course in
      defer { course.isTaken = true }
      return !course.isTaken
    }
    if !isMine { return false }
    do throws(Refusal) {
      return try lifecycle.activate { () throws(Refusal) in
        let sinkObject = CoreSink(inbox) { [weak self] in self?.end(calling: false) ?? false }
        let handle = Handles.sinks.insert(sinkObject)
        course.withLock { ($0.inbox, $0.sink) = (inbox, handle) }
        var sink = unsafe interlock_rows_sink(
          size: MemoryLayout<interlock_rows_sink>.size, handle: handle, post: postToSink, end: endSink)
        let status = unsafe callUnchecked { unsafe $0.activate($0.user, &sink) }
        guard status == interlock_rows_status(INTERLOCK_ROWS_OK) else {
          _ = Handles.sinks.remove(handle)
          throw Refusal(INTERLOCK_ROWS_REFUSED)
        }
        course.withLock { $0.isActivated = true }
        guard begin() else { throw Refusal(INTERLOCK_ROWS_REFUSED) }
        course.withLock { $0.isAccepted = true }
      }
    } catch {
      // `invalidate` ends the core if it was activated before the failure. If the core is ending itself,
      // `invalidate` waits until it has ended.
      invalidate()
      return false
    }
  }

  package var hasEnded: Bool { lifecycle.state == .invalidated }

  /// Calls a function of the core; returns `nil` without a call if the core has ended.
  private func call<R: Sendable>(_ function: (interlock_rows_core) -> R) -> R? {
    lifecycle.whileActive { coreCalls.inside { unsafe function(table.core) } }
  }

  /// Calls a function of the core, without checking whether the core has ended.
  ///
  /// Must be called only in the body of `lifecycle.activate` or `lifecycle.invalidate`, during which no other
  /// thread can end the core.
  private func callUnchecked<R: Sendable>(_ function: (interlock_rows_core) -> R) -> R {
    coreCalls.inside { unsafe function(table.core) }
  }

  /// Returns whether a call has succeeded; counts a mistake of the core if it has failed.
  ///
  /// - Parameter status: The status of the call. `nil` means that the call was not made, because the core has
  ///   ended; the result is then `false`, and no mistake is counted.
  private func isSuccess(_ status: interlock_rows_status?) -> Bool {
    guard let status else { return false }
    if status == interlock_rows_status(INTERLOCK_ROWS_OK) { return true }
    CoreSink.countRefusal()
    return false
  }

  package func begin(generation: Int, firstID: UInt64, texts: [String]) -> Bool {
    let isInActivation = !course.snapshot.isAccepted
    return unsafe texts.withRowsTexts { rows in
      func begin(_ core: interlock_rows_core) -> interlock_rows_status {
        var beginning = unsafe interlock_rows_beginning(
          generation: UInt64(generation), rows: rows.baseAddress, count: rows.count, first_id: firstID)
        return unsafe core.begin(core.user, &beginning)
      }
      return isSuccess(unsafe isInActivation ? callUnchecked(begin) : call(begin))
    }
  }

  package func start(workers count: Int, speed: Double, seed: UInt64) {
    let status = unsafe call { core in
      var crew = interlock_rows_crew(count: count, speed: speed, seed: seed)
      return unsafe core.start(core.user, &crew)
    }
    _ = isSuccess(status)
  }

  package func stop() {
    unsafe call { unsafe $0.stop($0.user) }
  }

  package var running: Int {
    let count = unsafe call { unsafe $0.running?($0.user) ?? 0 } ?? 0
    if count >= 0 { return count }
    // A count above `Int.max` arrives as a negative number. It is a mistake of the core.
    CoreSink.countRefusal()
    return 0
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
    unsafe readRows(calling: { unsafe call($0) }, body)
  }

  /// Reads all rows of the core.
  ///
  /// - Parameters:
  ///   - call: Calls a function of the core; returns `nil` without a call if the core has ended.
  ///   - body: Called with the rows, at most once. Returns whether they are up to date.
  /// - Returns: Whether `body` was called.
  private func readRows(
    calling call: ((interlock_rows_core) -> interlock_rows_status) -> interlock_rows_status?,
    _ body: (CoreRows) -> Bool
  ) -> Bool {
    withoutActuallyEscaping(body) { body in
      let reading = CoreReading(body)
      let status = unsafe call { core in
        // Sound: `reading` outlives the call, and the core must not keep the pointer to it.
        var reader = unsafe interlock_rows_reader(
          reader: Unmanaged.passUnretained(reading).toOpaque(),
          row: readRow, end: endReading)
        return unsafe core.read(core.user, &reader)
      }
      // A call that returned OK must have reported valid rows, with the numbers of the current generation and
      // of the last posted edit. Otherwise it counts as a mistake of the core.
      if isSuccess(status), !reading.isRight { CoreSink.countRefusal() }
      return reading.hasEnded
    }
  }
}

/// Collects the rows that a core reports during one call of its function `read`.
private final class CoreReading {
  private var rows: [Row] = []
  private let body: (CoreRows) -> Bool
  /// Whether the core has reported all its rows, and the model has found that they contain all posted edits.
  private(set) var isRight = false
  private var hasWrongRow = false
  /// Whether the core has reported the end of its rows, all of which were valid.
  ///
  /// The rows have then been passed to `body`.
  private(set) var hasEnded = false

  init(_ body: @escaping (CoreRows) -> Bool) {
    self.body = body
  }

  static func at(_ reader: UnsafeMutableRawPointer?) -> CoreReading? {
    // Sound: the pointer is the one that `ForeignRows.readRows` passed to the core, which must pass no other.
    unsafe reader.map { unsafe Unmanaged<CoreReading>.fromOpaque($0).takeUnretainedValue() }
  }

  func add(_ id: UInt64, _ bytes: UnsafePointer<CChar>?, _ length: Int) {
    do throws(Refusal) {
      let row = unsafe Row(id: id, text: try text(bytes, length))
      if id > RowsInbox.greatestReportedID { throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT) }
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

// A core calls `readRow` and `endReading` through C function pointers. They are not closures inside
// `ForeignRows.readRows`, because such closures would be isolated to the main actor.

private func readRow(
  _ reader: UnsafeMutableRawPointer?, _ id: UInt64, _ bytes: UnsafePointer<CChar>?, _ length: Int
) {
  unsafe CoreReading.at(reader)?.add(id, bytes, length)
}

private func endReading(_ reader: UnsafeMutableRawPointer?, _ generation: UInt64, _ sequence: UInt64) {
  unsafe CoreReading.at(reader)?.end(generation: generation, sequence: sequence)
}

extension RowsViewModel {
  /// Makes a model that shows the rows of a core; no workers run yet.
  ///
  /// The result is `nil` if the core refuses, has ended or belongs to another model. The initialiser
  /// activates the core and begins the first generation. If another thread is ending the core, the
  /// initialiser waits until the core has ended. Observers, snapshots and everything else work as in a model
  /// that owns its rows.
  ///
  /// - Parameters:
  ///   - configuration: The configuration. `strategy`, `commandLimit`, `clock` and `makeRandom` have no
  ///     effect. A speed that is not positive, negative `backlogBytes`, and even a `commandLimit` below 1
  ///     trap.
  ///   - core: The core. The model keeps it alive.
  public convenience init?(_ configuration: RowsConfiguration, core: ForeignRows) {
    self.init(configuration, owner: core)
  }
}

// MARK: Texts on their way out

extension String {
  /// Calls `body` with the text as a C structure, which is valid during the call; returns the result of
  /// `body`.
  @inline(__always)
  func withCharacters<R>(_ body: (interlock_rows_text) -> R) -> R {
    // The bytes are read without copying the string: a copy would cost a retain and a release.
    let result = unsafe utf8.withContiguousStorageIfAvailable { unsafe body(Self.characters($0)) }
    if let result { return result }
    // On Apple's systems, a string may wrap an `NSString` that has no contiguous UTF-8 bytes.
    var copy = self
    return copy.withUTF8 { unsafe body(Self.characters($0)) }
  }

  @inline(__always)
  private static func characters(_ bytes: UnsafeBufferPointer<UInt8>) -> interlock_rows_text {
    // Sound: no code writes to the memory while `body` uses it, and a `CChar` is a byte.
    let first = unsafe UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
    return unsafe interlock_rows_text(bytes: first, length: bytes.count)
  }
}

extension [String] {
  /// Calls `body` with all texts as C structures, and returns the result of `body`.
  ///
  /// The structures are valid during the call. The bytes of all texts are in one block of memory.
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
        // Sound: `start` is at most the number of bytes, and the bytes stay in place until `body` returns.
        return unsafe interlock_rows_text(
          bytes: bytes.baseAddress.map { unsafe $0 + start }, length: end - start)
      }
      return unsafe texts.withUnsafeBufferPointer { unsafe body($0) }
    }
  }
}
