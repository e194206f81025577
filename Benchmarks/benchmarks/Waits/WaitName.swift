/// The names of the contestants of the suite "waits" in tables.
enum WaitName {
  static let protector = "Protector"
  static let exclusive = "ExclusiveProtector"
  static let pthread = "pthread_cond_t"
  static let dispatch = "DispatchSemaphore"
  static let foundation = "NSCondition"
}
