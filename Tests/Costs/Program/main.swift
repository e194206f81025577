import Counters

guard costs_take_jobs() != 0 else { fatalError("the runtime has no hook for the jobs of tasks") }
lockScenarios()
waitScenarios()
taskScenarios()
lifecycleScenarios()
initializationScenarios()
observerScenarios()
jobScenarios()
// These leave threads that wake up later.
timerScenarios()
publicationScenarios()
