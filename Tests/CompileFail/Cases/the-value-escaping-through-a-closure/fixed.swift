import Protectors

func later(_ count: Protector<Int>) -> () -> Void {
  return { count.withWriteLock { $0 += 1 } }
}
