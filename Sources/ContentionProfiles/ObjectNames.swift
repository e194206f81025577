internal import CContention

/// The names that a program has given to objects, in the order of the calls of `ContentionProfile.name`.
///
/// An entry refers to its object weakly, so it is known whether the object still exists. After the object's
/// deallocation, its address may belong to another object.
struct ObjectNames {
  private struct Entry {
    /// The addresses of the object's storage.
    let range: Range<UInt>
    let name: String
    weak var object: AnyObject?
  }

  /// The number of names of deallocated objects that pruning keeps; the oldest ones are removed.
  static let mostDeallocated = 1024

  private var entries: [Entry] = []
  private var nextPruning = 4 * mostDeallocated

  var count: Int { entries.count }

  /// Adds a name of an object.
  ///
  /// - Returns: Strong references to named objects, each of which may be the object's last reference. The
  ///   caller must release them without holding a lock, because a release may run a `deinit`.
  mutating func add(_ name: String, _ object: AnyObject) -> [AnyObject] {
    let start = UInt(bitPattern: ObjectIdentifier(object))
    // Sound: the type of an `AnyObject` is a class, and a class is represented by the address of its
    // metadata.
    let size = unsafe UInt(contention_object_size(unsafeBitCast(type(of: object), to: UnsafeRawPointer.self)))
    entries.append(Entry(range: start..<start + size, name: name, object: object))
    return entries.count < nextPruning ? [] : prune()
  }

  private mutating func prune() -> [AnyObject] {
    let objects = entries.map(\.object)
    var deallocated = objects.count { $0 == nil }
    var kept: [Entry] = []
    for (entry, object) in zip(entries, objects) {
      if object == nil {
        deallocated -= 1
        if deallocated >= Self.mostDeallocated { continue }
      }
      kept.append(entry)
    }
    entries = kept
    nextPruning = max(4 * Self.mostDeallocated, 2 * kept.count)
    return objects.compactMap { $0 }
  }

  /// Returns, for each address that lies in a named object, the names of that object in quotation marks.
  ///
  /// The caller must not hold a lock: this function may release the last reference to an object, whose
  /// `deinit` may acquire that lock.
  func names(at addresses: Set<UInt>) -> [UInt: String] {
    let sorted = addresses.sorted()
    var names: [UInt: String] = [:]
    for entry in entries {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < entry.range.lowerBound { low = middle + 1 } else { high = middle }
      }
      let name = "\"\(entry.name)\"" + (entry.object == nil ? " (deallocated)" : "")
      for address in sorted[low...].prefix(while: { $0 < entry.range.upperBound }) {
        names[address] = names[address].map { $0 == name ? name : "\($0), \(name)" } ?? name
      }
    }
    return names
  }
}
