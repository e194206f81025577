// A mailbox without room.
//
// The first task that sends waits for ever.
//
// Traps: Mailbox: made with a capacity of 0; pass at least 1

import Jobs

func run() async {
  #if WRONG
    let mailbox = Mailbox<Int>(capacity: 0)
  #else
    let mailbox = Mailbox<Int>(capacity: 1)
  #endif
  conclude(mailbox.sendIfRoom(1), shouldBe: true)
}
