import Dispatch
import EventSources

func count(_ source: ActivatedSource<AddedData>) {
  _ = source.add(1)
}
