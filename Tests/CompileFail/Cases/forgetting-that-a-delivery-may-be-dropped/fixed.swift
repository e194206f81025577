import Lifecycles

func measure(_ lifecycle: Lifecycle) -> Double? {
  lifecycle.whileActive { 21.5 }
}
