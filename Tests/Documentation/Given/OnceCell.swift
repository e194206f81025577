import LazyInitialization

struct ConnectError: Error {}
struct Session: Sendable {
  static func open() throws(ConnectError) -> Session { Session() }
  func ping() {}
}
nonisolated(unsafe) var session: Session?
let cell = OnceCell<Session>()
let isOffline = false
struct Image: Sendable {}
func download() async throws -> Image { Image() }
