import Synchronization

struct File: ~Copyable {
  consuming func close() {}
}

func close(_ file: borrowing Mutex<File>) {
  file.withLock { file in
    // error: missing reinitialization of inout parameter 'file' after consume
    file.close()
  }
}
