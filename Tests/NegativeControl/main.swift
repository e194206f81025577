import TestSupport

// Two threads add to a plain variable with no lock. ThreadSanitizer must report it: where this program passes in a
// sanitizer build, "no report" from the tests means nothing. In any other build it ends normally.

let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
count.initialize(to: 0)
// The address crosses threads as a number, because the compiler rightly refuses to share the pointer.
let address = UInt(bitPattern: count)

race(threads: 2) { _ in
  let count = UnsafeMutablePointer<Int>(bitPattern: address)!
  for round in 0..<100_000 {
    count.pointee += 1
    // On a machine with much to do, one thread would otherwise be through before the other begins.
    if round % 1_000 == 0 { PlatformThread.yield() }
  }
}

print("negative control: counted to \(count.pointee) with 2 × 100000 unlocked additions")
count.deallocate()
