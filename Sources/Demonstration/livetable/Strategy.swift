import ReadWriteLocks
import ViewModels

/// The strategies of the row model, by their names.
enum Strategy: String, CaseIterable {
  case snapshots, mainActor
}

/// The locks of the rows, by their names.
enum Lock: String, CaseIterable {
  case biased, compact, unfair, posix, spin, dispatch

  var strategy: RowsStrategy {
    switch self {
    case .biased: .snapshots { BiasedReadWriteLock() }
    case .compact: .snapshots { CompactReadWriteLock() }
    case .unfair: .exclusiveSnapshots
    case .posix: .snapshots { PosixReadWriteLock() }
    case .spin: .snapshots { SpinReadWriteLock() }
    case .dispatch: .snapshots { DispatchReadWriteLock() }
    }
  }
}

extension CaseIterable where Self: Equatable {
  /// The next case, and after the last one the first.
  var next: Self {
    let cases = Array(Self.allCases)
    return cases[(cases.firstIndex(of: self)! + 1) % cases.count]
  }
}
