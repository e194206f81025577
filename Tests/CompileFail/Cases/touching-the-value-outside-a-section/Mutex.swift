import Synchronization

func reset(_ balance: borrowing Mutex<Int>) {
  balance.value = 0
  // error: 'value' is inaccessible due to 'internal' protection level
  // error: cannot assign value of type 'Int' to type '_Cell<Int>'
}
