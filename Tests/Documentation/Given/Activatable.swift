import Lifecycles

enum Scale { case celsius, kelvin }
final class Sensors: Sendable {
  static let shared = Sensors()
  func register(_ sensor: any Activatable) {}
  func unregister(_ sensor: any Activatable) {}
}
