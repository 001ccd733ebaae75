"""Plain answers by the kind of question: yes or no, when, where, who, which."""
