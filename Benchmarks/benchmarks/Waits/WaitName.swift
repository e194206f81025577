/// The names that tables of results show for the contestants of the suite "waits".
enum WaitName {
  static let protector = "Protector"
  static let exclusive = "ExclusiveProtector"
  static let pthread = "pthread_cond_t"
  static let dispatch = "DispatchSemaphore"
  static let foundation = "NSCondition"
}
