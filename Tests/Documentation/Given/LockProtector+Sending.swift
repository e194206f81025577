import Protectors

final class Job {}
let handlers = ExclusiveProtector<[() -> Void]>([])
let jobs = ExclusiveProtector<[Job]>([])
func makeHandler() -> sending () -> Void { {} }
