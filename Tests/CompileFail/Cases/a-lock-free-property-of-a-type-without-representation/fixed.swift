import AtomicProperties

let title = AtomicProperty("Untitled")
