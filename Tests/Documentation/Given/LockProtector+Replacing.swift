import Protectors

final class Configuration: Sendable {
  init() {}
  init(basedOn other: Configuration) {}
}
let configuration = Protector(Configuration())

struct Handler: Sendable {
  var isObsolete = false
}
let connection = Protector<Configuration?>(nil)
let handlers = Protector<[Handler]>([])
