import Dispatch

func load() async -> String { "page" }

final class Pages: @unchecked Sendable {
  let queue = DispatchQueue(label: "pages")
  var all: [String] = []

  func refresh() async {
    await queue.sync { all.append(await load()) }
    // error: no exact matches in call to instance method 'sync'
  }
}
