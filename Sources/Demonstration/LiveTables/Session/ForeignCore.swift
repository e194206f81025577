internal import CRows
internal import OwningCoreInC
package import RowsInterface

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A core: code in another language that owns the rows of a run.
package struct ForeignCore: Sendable, Equatable {
  package enum Language: String, Sendable, CaseIterable {
    /// A core in C, which is linked into the program.
    case c
    /// A core in Rust, in a dynamic library, because this package is built without Rust.
    case rust
  }

  package var language: Language
  /// The path of the dynamic library that contains the core.
  ///
  /// `nil` selects the default: the C core that is part of the program, or the Rust library that Cargo
  /// builds.
  package var path: String?

  package init(_ language: Language, path: String? = nil) {
    self.language = language
    self.path = path
  }

  /// The path at which `cargo build` puts the Rust library, relative to the directory of the package.
  private static let rustLibrary =
    "Sources/Demonstration/ForeignCores/rust/target/release/libowning_core.so"

  /// Opens the core and returns its rows.
  ///
  /// - Parameter fault: The name of the deliberate mistake of the core; empty for a correct core.
  package func open(fault: String) throws(SystemFailure) -> ForeignRows {
    var table = interlock_rows_core()
    let status = try open(fault: fault, &table)
    guard status == interlock_rows_status(INTERLOCK_ROWS_OK) else {
      let reason = String(cString: interlock_rows_status_text(status))
      throw SystemFailure(description: "the core in \(language.rawValue) does not open: \(reason)")
    }
    return ForeignRows(table)
  }

  private func open(
    fault: String, _ table: inout interlock_rows_core
  ) throws(SystemFailure) -> interlock_rows_status {
    let function: interlock_rows_open_core_function =
      if language == .c, path == nil { owning_core_open } else { try load() }
    var fault = fault
    return fault.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        function(interlock_rows_text(bytes: bytes.baseAddress, length: bytes.count), &table)
      }
    }
  }

  /// Loads the core's library, and returns its function that opens a core.
  ///
  /// The library is never unloaded.
  private func load() throws(SystemFailure) -> interlock_rows_open_core_function {
    let path = path ?? Self.rustLibrary
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      let hint =
        self.path == nil && language == .rust
        ? "; build it with 'cargo build --release --offline' in Sources/Demonstration/ForeignCores/rust,"
          + " or name it with --core rust:FILE" : ""
      throw SystemFailure(description: "can't load a core: \(String(cString: dlerror()))\(hint)")
    }
    guard let symbol = dlsym(library, INTERLOCK_ROWS_OPEN_CORE) else {
      throw SystemFailure(description: "\(path) is no core: it has no function \(INTERLOCK_ROWS_OPEN_CORE)")
    }
    return unsafeBitCast(symbol, to: interlock_rows_open_core_function.self)
  }
}
