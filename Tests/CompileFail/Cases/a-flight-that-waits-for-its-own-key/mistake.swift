// A flight that waits for its own key.
//
// The run waits for its own end.
//
// Traps: SingleFlight: waited for a key inside the run for that key; make the value in the run itself, or use another key

import LazyInitialization

func run() async {
  let flights = SingleFlight<String, Int>()
  let value = try? await flights.value(for: "sum") {
    #if WRONG
      let part = try await flights.value(for: "sum") { 21 }
    #else
      let part = try await flights.value(for: "part") { 21 }
    #endif
    return 2 * part
  }
  conclude(value, shouldBe: 42)
}
