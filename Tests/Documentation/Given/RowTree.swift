import RowTrees
