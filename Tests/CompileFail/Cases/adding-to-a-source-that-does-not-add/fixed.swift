import Dispatch
import Lifecycles

func count(_ source: ActivatedSource<AddedData>) {
  _ = source.add(1)
}
