/// What else one could have written a mistake with.
enum Peer: String, CaseIterable {
  case mutex = "Mutex"
  case nsLock = "NSLock"
  case pthread = "pthread_rwlock"
  case serialQueue = "SerialQueue"

  /// How the table calls it.
  var title: String {
    switch self {
    case .mutex: "`Synchronization.Mutex`"
    case .nsLock: "`NSLock`"
    case .pthread: "`pthread_rwlock`"
    case .serialQueue: "serial queue"
    }
  }
}
