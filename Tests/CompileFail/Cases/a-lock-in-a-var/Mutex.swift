import Synchronization

final class Account: Sendable {
  var lock = Mutex(())
  // error: stored property 'lock' of 'Sendable'-conforming class 'Account' is mutable
  // error: variable of type 'Mutex<()>' must be declared with a 'let'
}
