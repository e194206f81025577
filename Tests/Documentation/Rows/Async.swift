// The examples in the table of Async.md.
import AsyncLocks
import Jobs
import LazyInitialization
import Observers

func upload(_ file: String) async {}
func nextFile() async -> String { "file" }
func page(_ name: String) async -> String { name }
func renewed(_ token: String) async -> String { token + "'" }

let token = AsyncMutex("first")
func renew() async { await token.withLock { $0 = await renewed($0) } }

let queue = AsyncQueue()
func add(_ file: String) { _ = queue.add { await upload(file) } }

let limit = AsyncSemaphore(permits: 4)
func uploadInTurn(_ file: String) async { await limit.withPermit { await upload(file) } }

func send(_ file: String, to box: Mailbox<String>) async throws -> Bool { try await box.send(file) }
func receive(from box: Mailbox<String>) async {
  for await file in box { await upload(file) }
}

func post(_ file: String, to changes: OrderedDelivery<String>) -> Bool { changes.post(file) }

actor Files {
  private var files: [String] = []
  func add() async { files.append(await nextFile()) }
}

let loads = SingleFlight<String, String>()
func load(_ name: String) async throws -> String { try await loads.value(for: name) { await page(name) } }
