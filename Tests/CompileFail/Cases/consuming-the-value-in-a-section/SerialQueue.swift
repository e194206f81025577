import Dispatch

struct File: ~Copyable {
  consuming func close() {}
}

final class Shared: @unchecked Sendable {
  let queue = DispatchQueue(label: "file")
  var file = File()

  func close() {
    queue.sync { file.close() }
    // error: cannot consume noncopyable stored property 'self.file' of a class
  }
}
