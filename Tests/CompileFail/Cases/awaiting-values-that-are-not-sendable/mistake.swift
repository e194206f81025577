// Awaiting non-Sendable values.
//
// The task uses the object while other threads change it in sections.
//
// It compiles in Swift 5 mode.

import Protectors

final class Player {
  var points = 0
}

func show(_ player: ExclusiveProtector<Player>) async {
  #if WRONG
    for await player in player.values(of: { $0 }) { print(player.points) }
  // error: type 'Player' does not conform to the 'Sendable' protocol
  #else
    for await points in player.values(of: { $0.points }) { print(points) }
  #endif
}
