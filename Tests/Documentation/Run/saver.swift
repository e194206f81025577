// A version is saved before the end, and none after it.
let saver = Saver()
let isSaved = try await saver.save("first")
await saver.end()
let isSavedLate = try await saver.save("second")
precondition(isSaved && !isSavedLate)
