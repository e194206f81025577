import Dispatch
import EventSources
import Lifecycles

let queue = DispatchQueue(label: "ticks")
func show(_ count: UInt) {}
