import Protectors

func show(_ number: Protector<Int>) async {
  let values = number.values(of: { $0 })
  let other = Task { await values.first { _ in true } }
  print(await values.first { _ in true } ?? 0, await other.value ?? 0)
}
