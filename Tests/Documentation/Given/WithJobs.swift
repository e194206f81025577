import Dispatch
import Jobs

struct ImportError: Error {}
struct Store: Sendable {
  let queue = DispatchQueue(label: "store")
  func `import`(_ file: String) throws(ImportError) {}
  func finishImport(_ result: Result<Void, ImportError>) {}
}
let store = Store()
let files: [String] = []

struct ImageCache: Sendable {
  func render(_ image: String) {}
}
let cache = ImageCache()
let images: [String] = []
@MainActor
final class View {
  func reload() {}
}
@MainActor let view = View()
