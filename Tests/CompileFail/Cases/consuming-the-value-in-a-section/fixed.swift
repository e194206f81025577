import Protectors

struct File: ~Copyable {
  consuming func close() {}
}

func close(_ file: ExclusiveProtector<File>) {
  file.withWriteLock { file in
    file.close()
    file = File()
  }
}
