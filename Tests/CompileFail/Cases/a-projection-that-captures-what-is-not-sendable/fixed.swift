import Protectors

struct Format: Sendable {
  func text(_ number: Int) -> String { String(number) }
}

func texts(_ number: Protector<Int>, _ format: Format) -> ProtectorValues<String> {
  number.values(of: { format.text($0) })
}
