struct File: ~Copyable {
  consuming func close() {}
}

final class Shared: @unchecked Sendable {
  let lock = PeerLock()
  var file = File()

  func close() {
    lock.withLock { file.close() }
    // error: cannot consume noncopyable stored property 'self.file' of a class
  }
}
