// Two downloads that are requested together must begin at least 100 ms apart.
let downloader = Downloader()
let start = ContinuousClock.now
async let first = downloader.data(of: "first")
async let second = downloader.data(of: "second")
let (one, two) = try await (first, second)
precondition(one == [] && two == [] && .now - start >= .milliseconds(100))
