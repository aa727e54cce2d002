"""Games of the rule sheet beside the classic one: a file each for the state and what belongs to it."""
