"""Every deal at once: all positions that can arise, layer by layer, from two face-up cards up to sixteen.

A *shape* is a position without its numbers: the face-up cells, the mover's cell and the other's. Which shapes
follow from a shape depends only on the number under the mover. So shapes are solved instead of deals, each as one
array over all ways to lay numbers on its face-up cells.

- `numberings`: the ways to lay numbers on m cells, in order, and where each goes when the cells are renamed.
- `shapes`: the different shapes under all 384 symmetries, and what follows from each.
- `sweep`: from the smallest layer upwards, the arrays of one layer out of those of the layer below.
- `tally`: counting over the answers.
"""
