import Synchronization

final class Theatre: Sendable {
  let seats = Mutex(1)
}

func run() {
  let theatre = Theatre()
  let isFree = theatre.seats.withLock { $0 > 0 }
  onAnotherThread { theatre.seats.withLock { if $0 > 0 { $0 -= 1 } } }
  if isFree { theatre.seats.withLock { $0 -= 1 } }
  conclude(theatre.seats.withLock { $0 }, shouldBe: 0)
}
