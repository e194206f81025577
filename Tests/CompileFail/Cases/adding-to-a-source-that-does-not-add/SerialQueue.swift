import Dispatch

func count(_ source: any DispatchSourceRead) {
  source.add(data: 1)
  // error: value of type 'any DispatchSourceRead' has no member 'add'
}
