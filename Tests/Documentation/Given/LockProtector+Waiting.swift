import Protectors

struct Connection: Sendable {}
let idle = Protector<[Connection]>([])
