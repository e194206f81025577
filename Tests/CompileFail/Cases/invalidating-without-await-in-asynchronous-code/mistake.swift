// Invalidating without await.
//
// The invalidation blocks a thread of the cooperative pool, or the main thread, until deliveries have ended, which may need it.

import Lifecycles

func end(_ lifecycle: Lifecycle) async {
  #if WRONG
    lifecycle.invalidate()
  // error: expression is 'async' but is not marked with 'await'
  #else
    await lifecycle.invalidate()
  #endif
}
