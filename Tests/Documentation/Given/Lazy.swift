import LazyInitialization

struct SearchIndex: Sendable {
  init(of text: String) {}
  func lookUp(_ word: String) {}
}
func makeTable() -> [Int] { [] }
let text = ""
