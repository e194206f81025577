import Dispatch

final class Sum {
  var value: UInt = 0
}

func run() {
  let sum = Sum()
  let isAdding = Gate()
  let isChanged = Gate()
  let end = Gate()
  let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "sum"))
  source.setEventHandler {
    let before = sum.value
    isAdding.open()
    isChanged.pass()
    sum.value = before + UInt(source.data)
    end.open()
  }
  source.activate()
  source.add(data: 1)
  isAdding.pass()
  sum.value += 1
  isChanged.open()
  end.pass()
  conclude(sum.value, shouldBe: 2)
}
