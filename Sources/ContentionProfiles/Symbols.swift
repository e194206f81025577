internal import CContention
internal import InterlockCore

/// Finds the name and module of the function at an address, and caches the result for each address.
struct Symbols {
  private struct Found {
    var frame: ContentionReport.Frame
    /// The module of the function; `nil` if it has no Swift symbol.
    var module: String?
  }

  private var found: [UInt: Found] = [:]

  /// The prefixes of the symbols of internal functions: this package's C functions, Swift's runtime, and
  /// the modules of the toolkit.
  ///
  /// The standard library's `withUnsafePointer(to:_:)` also counts as internal: in debug builds, waits for
  /// predicates call it.
  private static let ownPrefixes =
    [
      "interlock_", "contention_", "swift_", "_swift_", "_ZN5swift", "_ZNK5swift", "_ZZN5swift",
      "$ss17withUnsafePointer",
    ]
    + Toolkit.modules.flatMap { ["$s\($0.utf8.count)\($0)", "_$s\($0.utf8.count)\($0)"] }

  /// Whether a function with this demangled name is a thunk, which the compiler adds around a closure or a function.
  ///
  /// In optimized code, thunks are specialized and merged as other functions are.
  static func isThunk(_ name: String) -> Bool {
    var name = withoutSpecializations(name)[...]
    for prefix in ["merged ", "partial apply forwarder for ", "partial apply for ", "merged "] {
      if name.hasPrefix(prefix) { name = withoutSpecializations(String(name.dropFirst(prefix.count)))[...] }
    }
    return ["reabstraction thunk", "dispatch thunk", "thunk for"].contains { name.hasPrefix($0) }
  }

  /// Returns the stack with these return addresses; functions of `modules` count as internal.
  mutating func stack(_ addresses: [UInt], hiding modules: Set<String> = []) -> ContentionReport.Stack {
    ContentionReport.Stack(frames: addresses.map { frame($0, hiding: modules) })
  }

  private mutating func frame(_ address: UInt, hiding modules: Set<String>) -> ContentionReport.Frame {
    let found = found[address] ?? Self.lookUp(address)
    self.found[address] = found
    guard let module = found.module, modules.contains(module) else { return found.frame }
    return ContentionReport.Frame(function: found.frame.function, isInternal: true)
  }

  /// The module that a Swift symbol begins with: `Bank` in `$s4Bank8transferyyF`; `nil` for other symbols.
  static func module(ofSymbol symbol: String) -> String? {
    guard let prefix = ["$s", "_$s"].first(where: { symbol.hasPrefix($0) }) else { return nil }
    let rest = symbol.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isNumber }
    guard let length = Int(digits), length > 0 else { return nil }
    return String(rest.dropFirst(digits.count).prefix(length))
  }

  private static func lookUp(_ address: UInt) -> Found {
    // Looks up the call instruction, which ends just before `address`: the return address may already belong
    // to the next function.
    guard let symbol = unsafe take(contention_symbol_at(address - 1)) else {
      let name = "0x" + String(address, radix: 16)
      return Found(frame: ContentionReport.Frame(function: name, isInternal: false))
    }
    let demangled = unsafe take(contention_demangle(symbol))
    let isInternal =
      ownPrefixes.contains { symbol.hasPrefix($0) }
      || demangled.map(isThunk) == true
    let frame = ContentionReport.Frame(
      function: demangled.map(withoutSpecializations) ?? symbol, isInternal: isInternal)
    return Found(frame: frame, module: module(ofSymbol: symbol))
  }

  /// Removes what the compiler has specialized a function for, which may be longer than a line.
  static func withoutSpecializations(_ name: String) -> String {
    guard name.hasPrefix("generic ") || name.hasPrefix("function signature specialization ") else {
      return name
    }
    var beginning = name[...]
    while !beginning.isEmpty, !beginning.hasSuffix("> of ") { beginning.removeLast() }
    return String(name[beginning.endIndex...])
  }

  /// Returns a copy of a C string, and frees the original, which the caller must own; `nil` for a null
  /// pointer.
  private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    defer { unsafe contention_free(text) }
    return unsafe String(cString: text)
  }
}
