import Dispatch

func run() {
  let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "sum"))
  source.setEventHandler {}
  conclude(true, shouldBe: true)
}
