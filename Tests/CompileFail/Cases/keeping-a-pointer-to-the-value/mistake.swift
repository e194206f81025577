// Keeping an unsafe pointer to the value.
//
// Code that has it changes the value without the lock, or after its end.
//
// Silently wrong: Unsafe pointers are what the compiler does not follow. In a module with strict memory safety
// (`-strict-memory-safety`) each use of one has to be marked `unsafe`, which makes it show.

import Protectors

func run() {
  let balance = ExclusiveProtector(100)
  #if WRONG
    nonisolated(unsafe) let pointer = balance.withLock { balance in
      withUnsafeMutablePointer(to: &balance) { UInt(bitPattern: $0) }
    }
    balance.withLock { balance in
      let before = balance
      onAnotherThread { UnsafeMutablePointer<Int>(bitPattern: pointer)!.pointee += 50 }
      balance = before + 30
    }
  #else
    let end = startThread { balance.withLock { $0 += 50 } }
    balance.withLock { balance in
      let before = balance
      balance = before + 30
    }
    end.pass()
  #endif
  conclude(balance.value, shouldBe: 180)
}
