import Protectors

let ann = Protector(100)
let bob = Protector(100)
let eve = Protector(100)
