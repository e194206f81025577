internal import LazyInitialization

/// The names of players in another language: a table that is made at the first look-up.
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

  /// Makes an object whose table is made later.
  ///
  /// - Parameter makeTable: Makes the table, at most once, on the thread of the first look-up. It traps if it
  ///   looks a name up itself.
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
  public var isMade: Bool { table.valueIfInitialized != nil }
}
