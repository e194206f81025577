internal import CContention
internal import LockSupport

/// Finds the names of functions, and keeps them for the next report.
///
/// It keeps at most one name for each address in the recorded stacks.
struct Symbols {
  private var frames: [UInt: ContentionReport.Frame] = [:]

  /// The modules of this package whose functions count as internal (see `Frame.isInternal`).
  private static let ownModules = [
    "LockSupport", "DeadlockDetector", "ThreadRecords", "ThreadSupport", "TaskWaiters", "UnfairLocks",
    "ReadWriteLocks", "Protectors", "Snapshots", "AsyncLocks", "LazyInitialization", "AtomicProperties",
    "Lifecycles", "Observers", "EventSources", "Jobs", "ContentionProfiles",
  ]

  /// How the symbols of internal functions begin: those of C, of Swift's runtime, and of `ownModules`.
  private static let ownPrefixes =
    ["interlock_", "contention_", "swift_", "_swift_", "_ZN5swift", "_ZNK5swift", "_ZZN5swift"]
    + ownModules.flatMap { ["$s\($0.utf8.count)\($0)", "_$s\($0.utf8.count)\($0)"] }

  /// How the readable names of functions begin that the compiler adds around closures.
  private static let thunkPrefixes = [
    "reabstraction thunk", "partial apply forwarder for reabstraction thunk",
  ]

  mutating func stack(_ addresses: [UInt]) -> ContentionReport.Stack {
    ContentionReport.Stack(frames: addresses.map { frame($0) })
  }

  private mutating func frame(_ address: UInt) -> ContentionReport.Frame {
    if let frame = frames[address] { return frame }
    let frame = Self.lookUp(address)
    frames[address] = frame
    return frame
  }

  private static func lookUp(_ address: UInt) -> ContentionReport.Frame {
    // The call instruction is before the address to which the call returns.
    let function = unsafe contention_function_at(address - 1)
    let image = unsafe take(function.image)?.split(separator: "/").last.map(String.init)
    guard let symbol = unsafe take(function.symbol) else {
      return ContentionReport.Frame(
        address: address, function: "0x" + String(address, radix: 16), image: image, isInternal: false)
    }
    let demangled = unsafe take(contention_demangle(symbol))
    let isInternal =
      ownPrefixes.contains { symbol.hasPrefix($0) }
      || thunkPrefixes.contains { demangled?.hasPrefix($0) == true }
    return ContentionReport.Frame(
      address: address, function: demangled.map(FunctionName.short) ?? symbol, image: image,
      isInternal: isInternal)
  }

  /// Copies a text that C has allocated, and frees the original.
  private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    defer { unsafe contention_free(text) }
    return unsafe String(cString: text)
  }
}
