"""The texts of the command: a table a subject, each text in English, simplified and traditional Chinese."""
