func run() {
  let lock = PeerLock()
  lock.withLock {
    onAnotherThread { lock.withLock {} }
  }
  conclude(true, shouldBe: true)
}
