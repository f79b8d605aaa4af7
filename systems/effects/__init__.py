"""Effects as data: the vocabulary of effects in creatures' files, and the library that runs it."""
