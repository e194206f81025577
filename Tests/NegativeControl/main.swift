import TestSupport

// What the sanitizers must report: where this program passes in a build with one of them, "no report" from the tests means
// nothing. In any other build it ends normally, or at random.

/// Two threads add to a plain variable with no lock.
func race() {
  let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  count.initialize(to: 0)
  // The address crosses threads as a number, because the compiler rightly refuses to share the pointer.
  let address = UInt(bitPattern: count)

  TestSupport.race(threads: 2) { _ in
    let count = UnsafeMutablePointer<Int>(bitPattern: address)!
    for round in 0..<100_000 {
      count.pointee += 1
      // On a machine with much to do, one thread would otherwise be through before the other begins.
      if round % 1_000 == 0 { PlatformThread.yield() }
    }
  }

  print("negative control: counted to \(count.pointee) with 2 × 100000 unlocked additions")
  count.deallocate()
}

/// A value is read after its memory was freed.
func useAfterFree() {
  let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  number.initialize(to: 1)
  let address = UInt(bitPattern: number)
  number.deallocate()
  print(
    "negative control: read \(UnsafeMutablePointer<Int>(bitPattern: address)!.pointee) from memory that was freed"
  )
}

/// Nobody knows where these objects are.
///
/// Many, because an address that is left on the stack or in a register counts as somebody who knows.
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
