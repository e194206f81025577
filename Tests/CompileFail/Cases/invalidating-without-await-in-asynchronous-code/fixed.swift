import Lifecycles

func end(_ lifecycle: Lifecycle) async {
  await lifecycle.invalidate()
}
