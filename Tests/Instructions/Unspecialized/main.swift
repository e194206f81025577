import Glibc
import Interlock
import Library

// Prints each call's name; `Steps` adds the number of its instructions. Earlier calls have made what the runtime keeps.
@MainActor func count(_ name: String, _ call: @MainActor () -> Void) {
  for _ in 1...20 { call() }
  print(name, terminator: " ")
  fflush(nil)
  raise(SIGUSR1)
  call()
  raise(SIGUSR2)
}

var sum = 0
let box = Box(1)
let pair = PairBox(1)
let mutex = MutexBox(1)
let locks = Locks<Int>()
let values = Values(1)
let unfairLock = UnfairLock()
let compactLock = CompactReadWriteLock()

@MainActor @inline(never) func use(_ result: Int?) { sum += result! }

count("nothing") {}
count("a pair of calls") { use(pair.withLockedValue { $0 }) }
count("Mutex.withLock") { use(mutex.withLockedValue { $0 }) }
count("UnfairLock.withLock(body) in a box") { use(box.withLockedValue { $0 }) }

count("Locks.exclusive") { use(locks.exclusive { 1 }) }
count("Locks.exclusiveForwarded") { use(locks.exclusiveForwarded { 1 }) }
count("Locks.exclusiveIfAvailable") { use(locks.exclusiveIfAvailable { 1 }) }
count("Locks.exclusiveTimeout") { use(locks.exclusiveTimeout { 1 }) }
count("Locks.compactRead") { use(locks.compactRead { 1 }) }
count("Locks.compactWrite") { use(locks.compactWrite { 1 }) }
count("Locks.compactReadForwarded") { use(locks.compactReadForwarded { 1 }) }
count("Locks.compactWriteForwarded") { use(locks.compactWriteForwarded { 1 }) }
count("Locks.compactReadIfAvailable") { use(locks.compactReadIfAvailable { 1 }) }
count("Locks.compactReadTimeout") { use(locks.compactReadTimeout { 1 }) }
count("Locks.biasedRead") { use(locks.biasedRead { 1 }) }
count("Locks.biasedWrite") { use(locks.biasedWrite { 1 }) }
count("Locks.spinRead") { use(locks.spinRead { 1 }) }
count("Locks.posixRead") { use(locks.posixRead { 1 }) }
count("Values.exclusive") { use(values.exclusive { $0 }) }
count("Values.exclusiveForwarded") { use(values.exclusiveForwarded { $0 }) }
count("Values.exclusiveIfAvailable") { use(values.exclusiveIfAvailable { $0 }) }
count("Values.exclusiveTimeout") { use(values.exclusiveTimeout { $0 }) }
count("Values.exclusiveWaiting") { use(values.exclusiveWaiting { $0 }) }
count("Values.exclusiveSending") { use(values.exclusiveSending { $0 }) }
count("Values.exclusiveExchange()") { use(values.exclusiveExchange()) }
count("Values.read") { use(values.read { $0 }) }
count("Values.readForwarded") { use(values.readForwarded { $0 }) }
count("Values.write") { use(values.write { $0 }) }
count("Values.writeForwarded") { use(values.writeForwarded { $0 }) }
count("Values.readIfAvailable") { use(values.readIfAvailable { $0 }) }
count("Values.readTimeout") { use(values.readTimeout { $0 }) }
count("Values.readWaiting") { use(values.readWaiting { $0 }) }
count("Values.writeWaiting") { use(values.writeWaiting { $0 }) }
count("Values.exchange()") { use(values.exchange()) }
count("Values.both") { use(values.both { $0 }) }
count("Values.current") { use(values.current { $0 }) }
count("Values.property") { use(values.property { $0 }) }
count("Values.cell") { use(values.cell { $0 }) }
count("Values.cell()") { use(values.cell()) }
count("Values.whileActive") { use(values.whileActive { 1 }) }

count("forwarded(UnfairLock)") { use(forwarded(unfairLock) { 1 }) }
count("forwarded(reading: CompactReadWriteLock)") { use(forwarded(reading: compactLock) { 1 }) }
count("forwarded(writing: CompactReadWriteLock)") { use(forwarded(writing: compactLock) { 1 }) }
