// One end of a pair of sockets is answered until the other one is closed.
var sockets: [Int32] = [0, 0]
precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
let (near, far) = (sockets[0], sockets[1])
async let answering: Void = echo(far)
for message in ["first", "second"] {
  precondition(write(near, message, message.utf8.count) == message.utf8.count)
  var answer = [UInt8](repeating: 0, count: 16)
  var count = 0
  while count < message.utf8.count {
    let added = answer[count...].withUnsafeMutableBytes { read(near, $0.baseAddress, $0.count) }
    precondition(added > 0)
    count += added
  }
  precondition(String(decoding: answer[..<count], as: UTF8.self) == message)
}
close(near)
await answering
// The source closes its descriptor on its queue, soon.
while fcntl(far, F_GETFD) != -1 { usleep(1_000) }
