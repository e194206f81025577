import Protectors

final class Configuration: Sendable {
  init() {}
  init(basedOn other: Configuration) {}
}
let configuration = Protector(Configuration())
