/// The names that tables of results show for the implementations that the suite "waits" measures.
enum WaitName {
  static let protector = "Protector"
  static let exclusive = "ExclusiveProtector"
  static let pthread = "pthread_cond_t"
  static let dispatch = "DispatchSemaphore"
  static let foundation = "NSCondition"
}
