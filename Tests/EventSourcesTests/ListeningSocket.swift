import Foundation

/// A TCP socket that listens on a free port of this machine.
///
/// Its descriptor becomes readable when a client connects, although there are no bytes to read.
struct ListeningSocket: Sendable {
  let descriptor: Int32

  init() {
    descriptor = Self.makeSocket()
    // `listen` assigns a free port, because the socket has not been bound to a port.
    guard listen(descriptor, 1) == 0 else { fatalError("listen failed with error \(errno)") }
  }

  /// Connects a client, and returns the client's descriptor.
  ///
  /// The caller must close the descriptor.
  ///
  /// - Parameter sendsDatagrams: Whether the client is a UDP socket, whose datagrams are refused.
  func makeClient(sendsDatagrams: Bool = false) -> Int32 {
    let client = Self.makeSocket(forDatagrams: sendsDatagrams)
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getsockname(descriptor, address, &size) == 0 && connect(client, address, size) == 0
      }
    }
    guard isConnected else { fatalError("connect failed with error \(errno)") }
    return client
  }

  private static func makeSocket(forDatagrams: Bool = false) -> Int32 {
    let type = forDatagrams ? SOCK_DGRAM : SOCK_STREAM
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, type, 0)
    #endif
    guard descriptor >= 0 else { fatalError("socket failed with error \(errno)") }
    return descriptor
  }
}
