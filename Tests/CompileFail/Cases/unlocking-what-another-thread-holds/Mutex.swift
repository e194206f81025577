import Synchronization

func reset(_ lock: borrowing Mutex<Int>) {
  lock.unlock()
  // error: value of type 'Mutex<Int>' has no member 'unlock'
}
