final class Names: @unchecked Sendable {
  let lock = PeerLock()
  var count = 1
}

func run() {
  let names = Names()
  let isChanged = Gate()
  let end = names.lock.withLock {
    startThread {
      isChanged.pass()
      conclude(names.count, shouldBe: 1)
    }
  }
  names.lock.withLock { names.count = 2 }
  isChanged.open()
  end.pass()
}
