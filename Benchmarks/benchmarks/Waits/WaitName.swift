/// The contestants of the suite "waits", as the tables call them.
enum WaitName {
  static let protector = "Protector"
  static let exclusive = "ExclusiveProtector"
  static let pthread = "pthread_cond_t"
  static let dispatch = "DispatchSemaphore"
  static let foundation = "NSCondition"
}
