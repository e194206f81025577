// A line is added before the end, and none after it.
let journal = Journal()
let isAdded = await journal.add("first")
journal.end()
await journal.writeAll()
let isAddedLate = await journal.add("second")
precondition(isAdded && !isAddedLate)
