func run() {
  let ann = PeerLock()
  let bob = PeerLock()
  let hasAnn = Gate()
  let hasBob = Gate()
  let end = startThread {
    bob.withLock {
      hasBob.open()
      hasAnn.pass()
      ann.withLock {}
    }
  }
  ann.withLock {
    hasAnn.open()
    hasBob.pass()
    bob.withLock {}
  }
  end.pass()
  conclude(true, shouldBe: true)
}
