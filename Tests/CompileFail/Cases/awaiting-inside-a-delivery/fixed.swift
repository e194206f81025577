import Lifecycles

func temperature() async -> Double { 21.5 }

func measure(_ lifecycle: Lifecycle) async -> Double? {
  let temperature = await temperature()
  return lifecycle.whileActive { temperature }
}
