/// Another lock with which the mistake can be made.
enum Peer: String, CaseIterable {
  case mutex = "Mutex"
  case nsLock = "NSLock"
  case pthread = "pthread_rwlock"
  case serialQueue = "SerialQueue"

  /// The name in the table.
  var title: String {
    switch self {
    case .mutex: "`Synchronization.Mutex`"
    case .nsLock: "`NSLock`"
    case .pthread: "`pthread_rwlock`"
    case .serialQueue: "serial queue"
    }
  }
}
