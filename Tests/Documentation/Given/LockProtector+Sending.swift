import Protectors

final class Job {}
let handlers = Protector<[() -> Void]>([])
let jobs = Protector<[Job]>([])
func makeHandler() -> sending () -> Void { {} }
