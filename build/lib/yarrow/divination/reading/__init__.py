"""The classical reading (断卦) of a divination, by 《增删卜易》 with ties broken by 《卜筮正宗》.

`inquiry` takes the matter from the question, `focus` the 用神, `strength`, `influences`, `standing` and `whole` the
named reasons for and against, `judgement` their sum and grade, `timing` the 应期; `compose` and `follow_up` tell them
in the words of `wording`. No model, no clock, no I/O: the same divination reads the same for ever.
"""

from yarrow.divination.reading.compose import Reading, read
from yarrow.divination.reading.follow_up import answer_follow_up
from yarrow.divination.reading.language import Language, language_for
from yarrow.divination.reading.question.asked_language import language_asked

__all__ = ["Language", "Reading", "answer_follow_up", "language_asked", "language_for", "read"]
