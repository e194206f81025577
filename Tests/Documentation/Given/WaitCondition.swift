import Protectors
struct Connection {}
