/// A lock or queue from outside this package.
///
/// Where possible, each mistake is also made with the peers instead of this package's lock. `Table` shows the
/// outcomes side by side.
enum Peer: String, CaseIterable {
  case mutex = "Mutex"
  case nsLock = "NSLock"
  case pthread = "pthread_rwlock"
  case serialQueue = "SerialQueue"

  /// The type for which `PeerLock` is an alias in a file that several peers share.
  var lockType: String { self == .pthread ? "PthreadLock" : rawValue }

  /// The heading of the peer's column in `Mistakes.md`.
  var title: String {
    switch self {
    case .mutex: "`Synchronization.Mutex`"
    case .nsLock: "`NSLock`"
    case .pthread: "`pthread_rwlock`"
    case .serialQueue: "serial queue"
    }
  }
}
