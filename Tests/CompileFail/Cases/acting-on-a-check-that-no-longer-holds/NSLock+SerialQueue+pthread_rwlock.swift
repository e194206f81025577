final class Theatre: @unchecked Sendable {
  let lock = PeerLock()
  var seats = 1
}

func run() {
  let theatre = Theatre()
  let isFree = theatre.lock.withLock { theatre.seats > 0 }
  onAnotherThread { theatre.lock.withLock { if theatre.seats > 0 { theatre.seats -= 1 } } }
  if isFree { theatre.lock.withLock { theatre.seats -= 1 } }
  conclude(theatre.seats, shouldBe: 0)
}
