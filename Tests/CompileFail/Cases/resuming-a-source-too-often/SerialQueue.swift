import Dispatch

func run() {
  let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "sum"))
  source.activate()
  source.suspend()
  source.resume()
  source.resume()
  source.cancel()
  conclude(true, shouldBe: true)
}
