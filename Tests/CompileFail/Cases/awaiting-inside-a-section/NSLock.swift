import Foundation

func load() async -> String { "page" }

final class Pages: @unchecked Sendable {
  let lock = NSLock()
  var all: [String] = []

  func refresh() async {
    lock.lock()
    // error: instance method 'lock' is unavailable from asynchronous contexts; Use async-safe scoped
    // locking instead
    all.append(await load())
    lock.unlock()
    // error: instance method 'unlock' is unavailable from asynchronous contexts; Use async-safe
    // scoped locking instead
  }
}
