"""The words of a reading by the form of its question (`question.form`): what it answers and what it advises."""
