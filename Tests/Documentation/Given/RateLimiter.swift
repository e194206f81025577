import Jobs
import Protectors

let next = ExclusiveProtector(ContinuousClock.now)
