import Support
import Synchronization

// What Swift 6.3 loses, without the package: the table must find it. A compiler that loses none of it fails this control.

final class Box: Sendable {
  @inline(never)
  nonisolated(nonsending) func receive<Element: Sendable>(_ element: Element) async -> Element {
    await Task.yield()
    return element
  }

  @inline(never)
  func call<Element: Sendable>(
    with element: Element, isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) (Element) async -> Void
  ) async {
    await wait()
    await body(element)
  }

  @inline(never)
  private func wait(isolation: isolated (any Actor)? = #isolation) async { await Task.yield() }
}

extension ExecutorContext {
  func row_control_1() async {
    for number in 1...9 {
      _ = await Box().receive(number)
      here()
    }
  }

  func row_control_2() async { await Box().call(with: 1) { _ in here() } }
}

@main
struct Control {
  static func main() async {
    let context = executorContext
    let rows: [TableRow] = [
      ("a function that is specialized", { await context.row_control_1() }),
      ("a closure that is specialized", { await context.row_control_2() }),
    ]
    await run(rows, as: "control", isCurrent: { context.executor.isCurrent }) { await context.touch() }
    for row in rows where !hasStrayed(row.name) {
      fatalError("\(row.name) keeps its isolation with this compiler")
    }
  }
}
