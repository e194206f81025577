import CaseSupport
import Observers

protocol Observer {}

final class Screen: Observer {}

@main enum Program {
  static func main() {
    let screen = Screen()
    let observers = WeakObservers<any Observer>()
    observers.observe(whileAlive: screen)
    var calls = 0
    observers.forEach { _ in calls += 1 }
    withExtendedLifetime(screen) {}
    conclude(calls, shouldBe: 1)
  }
}
