// A rate limiter without permits.
//
// The first task that wants one waits for ever.
//
// Traps: RateLimiter: made for 0 permits per 1.0 seconds, with a burst of 1; pass a count of at least 1, a burst of 1 to
// 2147483647, and a period of at most 68 years, in which each permit gets an attosecond or more

import Jobs

func run() async {
  #if WRONG
    let limiter = RateLimiter(0, per: .seconds(1))
  #else
    let limiter = RateLimiter(1, per: .seconds(1))
  #endif
  conclude(limiter.takePermitIfAvailable(), shouldBe: true)
}
