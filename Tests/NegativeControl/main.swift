import TestSupport

// This program makes mistakes that the sanitizers must report. If a sanitizer misses them, its silence about
// the tests means nothing. In a build without a sanitizer, the program's behaviour is undefined.

/// Makes a data race: two threads add to a plain variable without a lock.
func race() {
  let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  count.initialize(to: 0)
  // The address is passed to the threads as a number, because the compiler rightly refuses to share the
  // pointer.
  let address = UInt(bitPattern: count)

  TestSupport.race(threads: 2) { _ in
    let count = UnsafeMutablePointer<Int>(bitPattern: address)!
    for round in 0..<100_000 {
      count.pointee += 1
      // Without this pause, one thread might finish on a busy machine before the other begins.
      if round % 1_000 == 0 { PlatformThread.yield() }
    }
  }

  print("negative control: counted to \(count.pointee) with 2 × 100000 unlocked additions")
  count.deallocate()
}

/// Reads a value after its memory was freed.
func useAfterFree() {
  let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  number.initialize(to: 1)
  let address = UInt(bitPattern: number)
  number.deallocate()
  print(
    "negative control: read \(UnsafeMutablePointer<Int>(bitPattern: address)!.pointee) from memory that was freed"
  )
}

/// Leaks a thousand objects.
///
/// One object is not enough: an address that is left on the stack or in a register counts as a reference.
func leak() {
  let lifetimes = Lifetimes()
  for _ in 0..<1_000 { _ = Unmanaged.passRetained(Tracked(lifetimes)) }
  print("negative control: left \(lifetimes.alive) objects behind")
}

switch CommandLine.arguments.dropFirst().first {
case "race": race()
case "use-after-free": useAfterFree()
case "leak": leak()
case let other: fatalError("\(other ?? "nothing") is none of race, use-after-free and leak")
}
