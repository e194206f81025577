/// The names of the implementations in the suite "waits", as its result tables show them.
enum WaitName {
  static let protector = "Protector"
  static let exclusive = "ExclusiveProtector"
  static let pthread = "pthread_cond_t"
  static let dispatch = "DispatchSemaphore"
  static let foundation = "NSCondition"
}
