import Protectors

typealias Element = Int
let state = Protector<[Element]>([])
let capacity = 8
