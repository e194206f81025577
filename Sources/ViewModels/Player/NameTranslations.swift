internal import LazyInitialization

/// A table of the names of players in another language, made at the first look-up.
///
/// ```swift
/// let inFrench = NameTranslations { ["James": "Jacques", "Peter": "Pierre"] }
/// inFrench["Peter"]                            // Pierre
/// ```
///
/// The first thread that looks a name up makes the table; other threads wait for it. After that, a look-up
/// acquires no lock.
public final class NameTranslations: Sendable {
  private let table: Lazy<[String: String]>

  /// Makes translations whose table is made at the first look-up.
  ///
  /// - Parameter makeTable: Makes the table. Called at most once, on the thread of the first look-up. A
  ///   look-up inside this closure traps.
  public init(_ makeTable: sending @escaping () -> [String: String]) {
    table = Lazy(makeTable)
  }

  /// The translation of `name`, or `name` itself if the table has none.
  ///
  /// Blocks while another thread makes the table.
  ///
  /// - Complexity: O(length of the name), once the table is made.
  public subscript(name: String) -> String {
    table.value[name] ?? name
  }

  /// Whether the table has been made.
  public var isMade: Bool { table.valueIfComplete != nil }
}
