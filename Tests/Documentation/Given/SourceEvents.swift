import Dispatch
import Lifecycles

let queue = DispatchQueue(label: "ticks")
func show(_ count: UInt) {}
