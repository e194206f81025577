import Observers

// A client of the product Observers alone: it shows that the product compiles and loads by itself.

/// An observer.
final class Gauge {
  var scale = "Kelvin"
}

func observe() {
  let gauge = Gauge()
  let observers = WeakObservers<Gauge>()
  let registration = observers.observe(by: gauge)
  var scales: [String] = []
  observers.forEach { scales.append($0.scale) }
  registration.end()
  precondition(scales == ["Kelvin"])
  precondition(WeakHolder(gauge).object === gauge)
  print("Observers: \(scales)")
}

observe()
