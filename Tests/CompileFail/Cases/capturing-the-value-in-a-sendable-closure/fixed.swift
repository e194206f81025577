import Dispatch
import Protectors

func log(_ names: Protector<[String]>) {
  names.withWriteLock { names in
    DispatchQueue.global().async { [names] in print(names) }
  }
}
