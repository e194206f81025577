import Observers

final class Gauge {}

func observe() {
  let gauge = Gauge()
  let observers = WeakObservers<Gauge>()
  let registration = observers.add(gauge)
  var count = 0
  observers.forEach { _ in count += 1 }
  registration.end()
  precondition(count == 1)
}

observe()
