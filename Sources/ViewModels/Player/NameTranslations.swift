internal import LazyInitialization

/// What names are in another language: a table that is made when somebody first looks something up.
///
/// ```swift
/// let inFrench = NameTranslations { ["James": "Jacques", "Peter": "Pierre"] }
/// inFrench["Peter"]                            // Pierre
/// ```
///
/// The table is made once, whichever thread comes first; threads that come meanwhile wait for it. After that, looking up
/// takes no lock.
public final class NameTranslations: Sendable {
  private let table: Lazy<[String: String]>

  /// Makes a table that does not exist yet.
  ///
  /// - Parameter makeTable: Makes the table, at most once, on the thread that first looks a name up. It must not look
  ///   one up itself, which traps.
  public init(_ makeTable: sending @escaping () -> [String: String]) {
    table = Lazy(makeTable)
  }

  /// The translation of `name`, or `name` itself where the table has none.
  ///
  /// It blocks while another thread makes the table.
  ///
  /// - Complexity: O(length of the name), once the table is made.
  public subscript(name: String) -> String {
    table.value[name] ?? name
  }

  /// Whether the table has been made.
  public var isMade: Bool { table.valueIfInitialized != nil }
}
