import AtomicProperties

func isReady(_ flag: LockFreeProperty<Bool>) -> Bool {
  flag.load(ordering: .acquiring)
}
