import Lifecycles

/// Makes a lifecycle that is active.
func activeLifecycle(_ label: StaticString = "Test") -> Lifecycle {
  let lifecycle = Lifecycle(label)
  lifecycle.activate()
  return lifecycle
}
