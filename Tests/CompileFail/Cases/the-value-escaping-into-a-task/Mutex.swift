import Synchronization

func later(_ count: borrowing Mutex<Int>) {
  count.withLock { count in
    _ = Task { count += 1 }
    // error: escaping closure captures 'inout' parameter 'count'
  }
}
