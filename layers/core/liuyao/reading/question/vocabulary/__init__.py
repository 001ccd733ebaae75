"""The words by which matters, things and times are named: Chinese in simplified characters, English in lower case."""
