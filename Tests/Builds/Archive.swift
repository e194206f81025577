// A client of an archive of the modules. A linker takes a file of it only if the program refers to one of its symbols,
// and nothing refers to a conformance that `dump`, `print` or a debugger looks up. The program uses each type with one.
import Interlock

let value = "guarded"
let protector = Protector(value)
let lazy = Lazy { value }
precondition(lazy.value == value)
let objects: [Any] = [
  protector, ExclusiveProtector(value), LockProtector(value, lock: CompactReadWriteLock()), lazy,
  protector.condition { !$0.isEmpty }, protector.values(of: { $0 }).makeAsyncIterator(), AsyncMutex(value),
  Snapshot(value), AtomicProperty(value), QueueProperty(value), SingleFlight<String, String>(),
  WeakObservers<AnyObject>(), DispatchReadWriteLock(),
]
for object in objects {
  var text = ""
  dump(object, to: &text)
  precondition(object is any CustomReflectable && !text.contains(value), text)
}
