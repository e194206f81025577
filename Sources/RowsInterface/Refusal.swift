internal import CRows
internal import ViewModels

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// The reason why a function of the interface does nothing: a status other than OK.
struct Refusal: Error {
  let status: interlock_rows_status

  init(_ status: Int) {
    self.status = interlock_rows_status(status)
  }
}

/// Runs the body of a function of the interface.
///
/// - Returns: OK, or the status that the body has thrown.
@inline(__always)
func attempt(_ body: () throws(Refusal) -> Void) -> interlock_rows_status {
  do throws(Refusal) {
    try body()
    return interlock_rows_status(INTERLOCK_ROWS_OK)
  } catch {
    return error.status
  }
}

/// Runs the body of an interface function that may be called only on the main actor.
///
/// Returns OK, or the status that the body has thrown. On another thread, or inside a function of a core,
/// returns a status without running the body.
///
/// - Parameter pointers: The arguments to pass on to `body`.
func attemptOnMain<Pointers>(
  _ pointers: Pointers, _ body: @MainActor (Pointers) throws(Refusal) -> Void
) -> interlock_rows_status {
  attempt { () throws(Refusal) in
    guard MainLoop.isCurrent else { throw Refusal(INTERLOCK_ROWS_WRONG_THREAD) }
    try checkOutsideCore()
    // Sound: the arguments stay on the calling thread, which is running the main actor.
    nonisolated(unsafe) let pointers = pointers
    let result = MainActor.assumeIsolated { () -> Result<Void, Refusal> in
      Result { () throws(Refusal) in unsafe try body(pointers) }
    }
    try result.get()
  }
}

func attemptOnMain(_ body: @MainActor () throws(Refusal) -> Void) -> interlock_rows_status {
  attemptOnMain(()) { _ throws(Refusal) in try body() }
}

/// Throws if the calling thread is inside a function of a core.
///
/// Most functions of `interlock_rows.h` refuse such calls.
@inline(__always)
func checkOutsideCore() throws(Refusal) {
  if coreCalls.isInside { throw Refusal(INTERLOCK_ROWS_IN_CALLBACK) }
}

// MARK: Arguments

/// Returns the pointer; throws if it is null.
func required<Value>(_ pointer: UnsafePointer<Value>?) throws(Refusal) -> UnsafePointer<Value> {
  guard let pointer = unsafe pointer else { throw Refusal(INTERLOCK_ROWS_NULL_ARGUMENT) }
  return unsafe pointer
}

/// Returns the pointer to memory for a result; throws if it is null.
func required<Value>(_ pointer: UnsafeMutablePointer<Value>?) throws(Refusal) -> UnsafeMutablePointer<Value> {
  guard let pointer = unsafe pointer else { throw Refusal(INTERLOCK_ROWS_NULL_ARGUMENT) }
  return unsafe pointer
}

/// Returns the `count` values at `first`.
///
/// Throws if `count` is negative or too great for the address space, or if `first` is null and `count` is
/// not 0.
@inline(__always)
func required<Value>(
  _ first: UnsafePointer<Value>?, count: Int
) throws(Refusal) -> UnsafeBufferPointer<Value> {
  if count == 0 { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
  let overflows = count.multipliedReportingOverflow(by: MemoryLayout<Value>.stride).overflow
  guard count > 0, !overflows else { throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT) }
  return unsafe UnsafeBufferPointer(start: try required(first), count: count)
}

/// Checks the size that the caller states in the structure's first member; throws if `Value` has another
/// size.
func checkSize<Value>(_ pointer: UnsafePointer<Value>) throws(Refusal) {
  // Only the first member is read, because the caller's structure may be smaller than `Value`.
  let given = unsafe UnsafeRawPointer(pointer).load(as: Int.self)
  if given != MemoryLayout<Value>.size { throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT) }
}

/// Returns the text of `length` bytes; refuses bytes that are not UTF-8.
func text(_ bytes: UnsafePointer<CChar>?, _ length: Int) throws(Refusal) -> String {
  let buffer = unsafe try required(bytes, count: length)
  // Sound: the caller's memory stays valid and unchanged until the call returns, and a `CChar` is a byte.
  let first = unsafe UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: UInt8.self)
  let characters = unsafe UnsafeBufferPointer(start: first, count: buffer.count)
  // Decoding replaces bytes that are not UTF-8, so the text then differs from the bytes.
  // `String(validating:)` would find such bytes too, but takes twice as long.
  let text = unsafe String(decoding: characters, as: UTF8.self)
  // `memcmp` is faster than `elementsEqual`, which compares byte by byte.
  let isUnchanged = unsafe text.utf8.withContiguousStorageIfAvailable { decoded in
    guard decoded.count == characters.count else { return false }
    return unsafe decoded.isEmpty || memcmp(decoded.baseAddress!, characters.baseAddress!, decoded.count) == 0
  }
  guard isUnchanged == true else { throw Refusal(INTERLOCK_ROWS_INVALID_UTF8) }
  return text
}

/// Returns `count` texts; refuses texts that are not UTF-8.
func texts(_ first: UnsafePointer<interlock_rows_text>?, _ count: Int) throws(Refusal) -> [String] {
  let given = unsafe try required(first, count: count)
  var texts: [String] = []
  texts.reserveCapacity(given.count)
  for index in 0..<given.count {
    unsafe texts.append(try text(given[index].bytes, given[index].length))
  }
  return texts
}

/// Converts the position of a row; throws if it is not valid.
func position(_ position: interlock_rows_position) throws(Refusal) -> RowPosition {
  switch Int(position.kind) {
  case INTERLOCK_ROWS_AT_SHARE: return .share(position.value)
  case INTERLOCK_ROWS_AT_INDEX:
    guard let index = Int(exactly: position.value) else { throw Refusal(INTERLOCK_ROWS_NO_SUCH_ROW) }
    return .index(index)
  default: throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT)
  }
}

/// Converts an edit; throws if it is not valid.
///
/// All members are checked, even if there is no row at the position.
func command(_ edit: interlock_rows_edit) throws(Refusal) -> RowCommand {
  switch unsafe Int(edit.change) {
  case INTERLOCK_ROWS_INSERTED:
    let text = unsafe try text(edit.text.bytes, edit.text.length)
    return unsafe .insert(text, try position(edit.position))
  case INTERLOCK_ROWS_MODIFIED:
    let text = unsafe try text(edit.text.bytes, edit.text.length)
    return unsafe .append(text, try position(edit.position))
  case INTERLOCK_ROWS_REMOVED: return unsafe .remove(try position(edit.position))
  default: throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT)
  }
}

/// Converts a model's options; throws if one of them is not valid.
func configuration(
  _ options: UnsafePointer<interlock_rows_options>?
) throws(Refusal) -> RowsConfiguration {
  let options = unsafe try required(options)
  unsafe try checkSize(options)
  var configuration = RowsConfiguration()
  switch unsafe Int(options.pointee.strategy) {
  case INTERLOCK_ROWS_ARRAY: configuration.strategy = .array
  case INTERLOCK_ROWS_TREE: configuration.strategy = .tree
  case INTERLOCK_ROWS_DELTA: configuration.strategy = .delta
  case INTERLOCK_ROWS_MAIN_ACTOR: configuration.strategy = .mainActor
  default: throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT)
  }
  configuration.audits = unsafe options.pointee.audits != 0
  configuration.speed = unsafe options.pointee.speed
  // `interlock_rows.h` permits no lower speed. The comparison is false for a NaN, too.
  guard configuration.speed >= 0.000_001 else { throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT) }
  configuration.seed = unsafe options.pointee.seed
  configuration.initialRows = unsafe try texts(options.pointee.initial_rows, options.pointee.initial_count)
  configuration.backlogBytes = unsafe options.pointee.backlog_bytes
  configuration.commandLimit = unsafe options.pointee.command_limit
  guard configuration.backlogBytes >= 0, configuration.commandLimit >= 1 else {
    throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT)
  }
  return configuration
}
