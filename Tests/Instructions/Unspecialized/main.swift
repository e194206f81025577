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

// Not inlined: a caller with all these calls and loops in it would take gigabytes to compile.
@MainActor @inline(never) func count(_ name: String, _ call: @MainActor () async -> Void) async {
  for _ in 1...20 { await call() }
  print(name, terminator: " ")
  fflush(nil)
  raise(SIGUSR1)
  await call()
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
let asyncValues = AsyncValues(1)
let numbers = Numbers(1)
let smallNumbers = Numbers<Int32>(1)
let limiter = RateLimiter(1, per: .seconds(1), burst: 100, clock: StillClock())

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
count("Values.writeTimeout") { use(values.writeTimeout { $0 }) }
count("Values.bothWaiting") { use(values.bothWaiting { $0 }) }
count("Values.all") { use(values.all { $0 }) }

count("Numbers.load()") { use(numbers.load()) }
count("Numbers.store()") { use(numbers.store()) }
count("Numbers.add()") { use(numbers.add()) }
count("Numbers.add() of 4 bytes") { use(Int(smallNumbers.add())) }
count("Numbers.update") { use(numbers.update { $0 }) }
count("RateLimiter.takePermitIfAvailable()") { use(limiter.takePermitIfAvailable() ? 1 : nil) }

count("forwarded(UnfairLock)") { use(forwarded(unfairLock) { 1 }) }
count("forwarded(reading: CompactReadWriteLock)") { use(forwarded(reading: compactLock) { 1 }) }
count("forwarded(writing: CompactReadWriteLock)") { use(forwarded(writing: compactLock) { 1 }) }

@MainActor func countAsynchronousCalls() async {
  await count("nothing, in a task") { () async in }
  await count("AsyncValues.locked") { use(await asyncValues.locked { $0 }) }
  await count("AsyncValues.lockedUnlessCancelled") { use(await asyncValues.lockedUnlessCancelled { $0 }) }
  await count("AsyncValues.lockedTimeout") { use(await asyncValues.lockedTimeout { $0 }) }
  await count("AsyncValues.lockedIfAvailable") { use(await asyncValues.lockedIfAvailable { $0 }) }
  await count("AsyncValues.permit") { use(await asyncValues.permit { 1 }) }
  await count("AsyncValues.permitUnlessCancelled") { use(await asyncValues.permitUnlessCancelled { 1 }) }
  await count("AsyncValues.permitTimeout") { use(await asyncValues.permitTimeout { 1 }) }
  await count("AsyncValues.permitIfAvailable") { use(await asyncValues.permitIfAvailable { 1 }) }
  await count("AsyncValues.exclusiveWaiting") { use(await asyncValues.exclusiveWaiting { $0 }) }
  await count("AsyncValues.readWaiting") { use(await asyncValues.readWaiting { $0 }) }
  await count("AsyncValues.writeWaiting") { use(await asyncValues.writeWaiting { $0 }) }
  await count("AsyncValues.bothWaiting") { use(await asyncValues.bothWaiting { $0 }) }
  await count("AsyncValues.sendAndReceive()") { use(await asyncValues.sendAndReceive()) }
  await count("AsyncValues.sendIfRoomAndReceive()") { use(await asyncValues.sendIfRoomAndReceive()) }
  await count("RateLimiter.takePermit()") { use((try? await limiter.takePermit()) == nil ? nil : 1) }
}
await countAsynchronousCalls()
