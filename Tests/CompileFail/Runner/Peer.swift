/// A lock from outside this package.
///
/// Each case also shows its mistake with these locks, for a comparison with the locks of this package.
enum Peer: String, CaseIterable {
  case mutex = "Mutex"
  case nsLock = "NSLock"
  case pthread = "pthread_rwlock"
  case serialQueue = "SerialQueue"

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
