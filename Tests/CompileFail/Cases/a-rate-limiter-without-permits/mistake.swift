// A rate limiter without permits.
//
// The first task that wants one waits for ever.
//
// Traps: RateLimiter: made for 0 permits per 1.0 seconds, with a burst of 1; pass a count and a burst of at least 1, and a
// positive period of at most 68 years

import Jobs

func run() async {
  #if WRONG
    let limiter = RateLimiter(0, per: .seconds(1))
  #else
    let limiter = RateLimiter(1, per: .seconds(1))
  #endif
  conclude(await limiter.waitForPermit(), shouldBe: true)
}
