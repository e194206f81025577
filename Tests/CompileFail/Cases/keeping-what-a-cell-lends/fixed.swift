import LazyInitialization

struct File: ~Copyable {
  consuming func close() {}
}

func close(_ file: consuming OnceCell<File>) {
  file.withValue { _ in }
}
