import LazyInitialization

struct SearchIndex: Sendable {
  init(of text: String) {}
  func lookUp(_ word: String) {}
}
func makeTable() -> [Int] { [] }
let text = ""
struct OpenError: Error {}
struct Handle: Sendable {
  func read() -> String { "" }
}
