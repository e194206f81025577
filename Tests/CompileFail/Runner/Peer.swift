/// A lock or queue from outside this package.
///
/// Where possible, each mistake is also made with a peer instead of this package's lock. `Table` shows the
/// outcomes side by side.
enum Peer: String, CaseIterable {
  case mutex = "Mutex"
  case nsLock = "NSLock"
  case pthread = "pthread_rwlock"
  case serialQueue = "SerialQueue"

  /// The type that `PeerLock` is in a file that several peers share (see `CaseSupport`).
  var lockType: String { self == .pthread ? "PthreadLock" : rawValue }

  /// The name of the lock in the table.
  var title: String {
    switch self {
    case .mutex: "`Synchronization.Mutex`"
    case .nsLock: "`NSLock`"
    case .pthread: "`pthread_rwlock`"
    case .serialQueue: "serial queue"
    }
  }
}
