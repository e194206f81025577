import Protectors

final class Player {
  var points = 0
}

func show(_ player: ExclusiveProtector<Player>) async {
  for await points in player.values(of: { $0.points }) { print(points) }
}
