import Lifecycles

// A client of the product Lifecycles alone: it shows that the product compiles and loads by itself.

let lifecycle = Lifecycle(label: "LifecyclesProbe")
precondition(lifecycle.whileActive { 1 } == nil)
precondition(lifecycle.activate {})
precondition(!lifecycle.activate())
precondition(lifecycle.whileActive { 2 } == 2)
precondition(lifecycle.invalidate())
precondition(lifecycle.whileActive { 3 } == nil)

/// An object with a lifecycle.
final class Thermometer: Activatable {
  let scale: String
  private let lifecycle = Lifecycle(label: "Thermometer")

  init(_ configuration: String) { scale = configuration }
  func activate() { lifecycle.activate() }
  func invalidate() { lifecycle.invalidate() }
}

func useThermometer() {
  var setup = Setup<Thermometer>("Celsius")
  setup.configuration = "Kelvin"
  let activation = setup.activate()
  precondition(activation.object.scale == "Kelvin")

  activation.invalidate()
}

useThermometer()

print("Lifecycles: \(lifecycle.label) is \(lifecycle.state)")
