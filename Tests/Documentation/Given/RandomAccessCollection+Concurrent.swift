import Jobs

struct WriteError: Error {}
struct Image: Sendable {
  func write() throws(WriteError) {}
  func scaled(to size: Int) -> Image { self }
}
let images: [Image] = []
let size = 128
