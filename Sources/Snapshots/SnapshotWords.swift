#if !Exploration
  internal import InterlockCore

  /// The atomic words of `HazardRegistry` and `Reclamation`.
  ///
  /// With the trait `Exploration`, `ExploredSnapshotWords.swift` takes the place of this file.
  enum SnapshotWords {
    /// The address of the newest block of hazard slots; 0 if there is none.
    static let newest = AtomicWord()
    static let retired = AtomicWord()
    /// The address of the first box in the list of replaced values that were being read; 0 if the list is
    /// empty.
    static let survivors = AtomicWord()

    /// Always `false`: builds without the trait have no explorer that scans in the `Reclaimer`'s place.
    @inline(__always)
    static func leavesScanToTest(ifIdle: Bool) -> Bool { false }
  }
#endif
