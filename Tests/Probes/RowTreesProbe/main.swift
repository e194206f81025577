import RowTrees

// A client of the product RowTrees alone: it shows that the product compiles and loads by itself.

var rows = RowTree(["Ann", "Bob"])
let snapshot = rows
rows.insert("Cleo", at: 1)
rows[0] += " Smith"
precondition(Array(snapshot) == ["Ann", "Bob"] && rows.count == 3)

print("RowTrees: \(rows)")
