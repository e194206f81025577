import Protectors

struct File: ~Copyable {
  let descriptor: Int
}

func take(_ file: Protector<File>) -> Int {
  let descriptor = file.withReadLock { $0.descriptor }
  return descriptor
}
