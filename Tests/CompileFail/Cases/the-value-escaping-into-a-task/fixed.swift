import Protectors

func later(_ count: Protector<Int>) {
  _ = Task { count.withWriteLock { $0 += 1 } }
}
