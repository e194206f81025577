import Lifecycles

/// Makes an active lifecycle.
func activeLifecycle(_ label: StaticString = "Test") -> Lifecycle {
  let lifecycle = Lifecycle(label: label)
  lifecycle.activate()
  return lifecycle
}
