import CaseSupport
import LazyInitialization

@main enum Program {
  static func main() {
    let once = Once()
    var runs = 0
    once.run {
      runs += 1
    }
    conclude(runs, shouldBe: 1)
  }
}
