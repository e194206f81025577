import Protectors

let idle = Protector(["ann"])
let jobs = Protector(["paint"])

enum Fork { case free, taken }
let left = Protector(Fork.free)
let right = Protector(Fork.free)
