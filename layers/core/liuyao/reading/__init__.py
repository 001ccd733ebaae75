"""The classical reading (断卦) of a divination, by 《增删卜易》 with ties broken by 《卜筮正宗》.

`inquiry` finds the matter asked about, `focus` the 用神; `strength`, `influences`, `self_and_other` and
`hexagram_patterns` give the weighted reasons, `decisive` the rules that come before their sum, `judgement`
outcome and grade, `timing` the 应期;
`compose` and `follow_up` render them with the texts of `wording`. Pure and deterministic: no model,
clock or I/O.
"""

from liuyao.reading.compose import Reading, read
from liuyao.reading.follow_up import answer_follow_up
from liuyao.reading.language import Language, language_for
from liuyao.reading.question.asked_language import language_asked

__all__ = ["Language", "Reading", "answer_follow_up", "language_asked", "language_for", "read"]
