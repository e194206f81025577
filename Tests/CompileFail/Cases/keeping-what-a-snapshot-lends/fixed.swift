import Snapshots

struct File: ~Copyable {
  let descriptor: Int
}

func take(_ file: Snapshot<File>) -> Int {
  let descriptor = file.withCurrent { $0.descriptor }
  return descriptor
}
