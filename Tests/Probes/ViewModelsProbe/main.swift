import ViewModels

// A client of the product ViewModels and of nothing else: what it needs to compile and to load is what a
// client needs.

var rows = RowTree(["Ann", "Bob"])
let snapshot = rows
rows.insert("Cleo", at: 1)
rows[0] += " Smith"
precondition(Array(snapshot) == ["Ann", "Bob"] && rows.count == 3)

print("ViewModels: \(rows)")
