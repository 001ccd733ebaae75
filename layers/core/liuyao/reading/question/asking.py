"""The clause of a text that asks; the clauses before it tell of what."""

from dataclasses import dataclass
from typing import Final

from liuyao.reading.question.text import Expression, Text, clauses, sentences

_ASKS_ZH: Final = Expression(
    r"[?？]|[吗么嘛呢不否没](?:$|[ 。！])|能不能|会不会|可不可|该不该|应不应|要不要|是不是|有没有|好不好|"
    r"行不行|值不值|适不适|合不合|肯不肯|"
    r"愿不愿|想不想|爱不爱|是否|能否|可否|会否|应否|何|谁|哪|几[时月号年天点个成]|多久|多少|多长|多大|"
    r"怎[么样]?|如何|什么|咋|啥|还是|吉凶|"
    r"男.?女|好坏|成败|结果"
)
_ASKS_EN: Final = Expression(
    r"\?|\b(?:will|would|can|could|should|shall|is|are|am|do|does|did|has|have|may|might|when|where|which|who|"
    r"whom|what|why|how|whether|if)\b"
)
_FILLERS_ZH: Final = Expression(
    r"^[ ]*(?:(?:请问|敢问|求问|求测|求解|求助|占问|占卜|占|测|问一?下|想问一?下?|"
    r"我?想(?:请)?[问测占](?:问|一?下)?|我?想请教|请教|"
    r"我?想(?:知道|了解|看看|算算)(?:一?下)?|"
    r"(?:请|麻烦|拜托)?(?:帮|替|给|为)?(?:忙|我)?(?:看看|看一下|看下|算算|算一下|算一卦|测测|测一下|占一卦|"
    r"问问)|麻烦|拜托|我?(?:很|真的|有点)?(?:担心|好奇|不知道|不确定|纠结|犹豫)|"
    r"大师|老师(?=[,，])|您好|你好|不知|我问|问|那么?|所以|到底|究竟|如果)[ :：,，]*)+"
)
_FILLERS_EN: Final = Expression(
    r"^[ ]*(?:(?:please|hi|hello|so|well|and|but|then|also|okay|ok|dear oracle|oracle)[ ,]+|(?:can|"
    r"could) you (?:please )?(?:tell|show) me (?:if |whether )?|"
    r"(?:please )?tell me (?:if |whether )?|i(?:'d like| would like| want| need|'m trying|"
    r" am trying)? to (?:know|find out|ask|understand) (?:if |whether |about )?|i (?:wonder|am wondering|"
    r"was wondering) (?:if |whether )?|i'm wondering (?:if |whether )?|"
    r"do you (?:think|know|see|believe) (?:that |if |whether )?|(?:i am|i'm) asking (?:if |whether |about )?|"
    r"what i want to know is |my question is:? ?(?:if |whether )?|question:? ?)+"
)


@dataclass(frozen=True, slots=True)
class Asking:
    """The place of the sentence and of the clause that asks, in the folded text, without opening fillers."""

    sentence: tuple[int, int]
    clause: tuple[int, int]


def asking(text: Text) -> Asking:
    """The last sentence that asks, and its last clause that does; the last ones if none does."""
    folded, asks = text.folded, _ASKS_ZH if text.chinese else _ASKS_EN
    whole = (0, len(folded))
    places = sentences(folded) or [whole]
    sentence = next((place for place in reversed(places) if asks.search(folded, *place)), places[-1])
    # The question mark belongs to the clause before it.
    parts = clauses(folded, *sentence) or [sentence]
    clause = next((part for part in reversed(parts) if asks.search(folded, *part)), parts[-1])
    return Asking(sentence, _without_fillers(text, clause))


def _without_fillers(text: Text, place: tuple[int, int]) -> tuple[int, int]:
    start, end = place
    filler = (_FILLERS_ZH if text.chinese else _FILLERS_EN).match(text.folded[start:end])
    if filler and start + filler.end() < end:
        start += filler.end()
    while start < end and text.folded[start] == " ":
        start += 1
    return start, end
