import Protectors

struct Players: Sendable { var points = 0 }
let players = Protector(Players())
func show(_ points: Int) {}
