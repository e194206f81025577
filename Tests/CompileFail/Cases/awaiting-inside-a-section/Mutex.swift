import Synchronization

func load() async -> String { "page" }

func refresh(_ pages: borrowing Mutex<[String]>) async {
  await pages.withLock { $0.append(await load()) }
  // error: cannot pass function of type '(inout sending [String]) async -> sending ()' to parameter
  // expecting synchronous function type
}
