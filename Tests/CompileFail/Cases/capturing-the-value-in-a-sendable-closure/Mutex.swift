import Dispatch
import Synchronization

func log(_ names: borrowing Mutex<[String]>) {
  names.withLock { names in
    DispatchQueue.global().async { print(names) }
    // error: mutable capture of 'inout' parameter 'names' is not allowed in concurrently-executing
    // code
  }
}
