import Synchronization

func later(_ count: borrowing Mutex<Int>) -> () -> Void {
  count.withLock { count in
    return { count += 1 }
    // error: escaping closure captures 'inout' parameter 'count'
  }
}
