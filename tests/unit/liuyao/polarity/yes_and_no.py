"""Whether an answer says yes or no (CARE-08)."""

import re
from functools import cache

from liuyao.reading import Language
from liuyao.reading.catalogues import CATALOGUES
from liuyao.reading.wording.cantonese import in_cantonese

NO = re.compile(
    r"^(?:多半[不没沒]|[没沒]有，|看[来來][没沒]有|不是|[会會]?看[来來]不|[这這]一次恐怕不|眼下恐怕不|不太[会會]|大体不[会會]|大體不[会會]|不至[于於]|看[来來]不|从眼下看不|從眼下看不|不[会會能]|"
    r"眼下(?:多半)?[还還]?[难難不]|"
    r"(?:probably not|no\b|that is unlikely|on the whole no|it does not look|not really|it will be hard|"
    r"not easily|rather not|it will be uphill|hardly|most likely not|rather unlikely|"
    r"there is no sign|i would not count|it will be difficult|better not|the signs are against|"
    r"more speaks against|not\b|"
    r"恐怕是否定的|眼下偏向否定|答案偏向否定|"
    r"眼下看不|恐怕不|眼下比[较較][难難]|不太|[这這]一次很[难難]|可能性不大|看不出有|照[现現]在看不|照[现現]在的情形|不利的多一些|[迹跡]象不好))"
)
YES = re.compile(
    r"^(?:有可能[会會是有]|恐怕[是有]|很可能有|很可能是|[会會能]，|[会會能]的|[应應][该該]|看起来是|看起來是|大体是|大體是|多半是|很有可能|[还還]是有可能|恐怕要往|恐怕[会會]|应当可以|應當可以|大[体體]可以|大体[会會能]|"
    r"看[来來]是肯定的|多半是肯定的|最[后後]是肯定的|答案是肯定的|[总總]的[来來][说說]是肯定的|"
    r"大體[会會能]|多半[会會能]|到后来[会會能]|到後來[会會能]|看[来來][会會]|"
    r"是的|大致是|最[终終]是|有望，|有这种可能|有這種可能|这种可能不小|這種可能不小|"
    r"(?:yes\b|on the whole yes|the signs say yes|in the end yes|in time, yes|"
    r"probably yes|possibly yes|it is possible|there is some chance|it may well|all the signs say yes|"
    r"more likely than not|it is a real poss|it can come about, but later))"
)
SURELY = "|".join(way for language in Language for way in CATALOGUES[language].roles["surely"])
MODAL = "会|會|能|可以|肯"
STATED = re.compile(rf"(?:{SURELY})(?:不?(?:{MODAL})|\w[得不]\w| (?!not\b))")
DENIED = re.compile(rf"(?:{SURELY})(?:不(?:{MODAL})|\w不\w| (?:cannot|\w+ not)\b)")
"""An answer in the words of the question: he (probably) will (not) come."""


_CLAUSE = re.compile("[^，：。]*")


@cache
def _written() -> dict[str, str]:
    """The first clause of each sentence in Traditional Chinese by what it is in Cantonese."""
    words = CATALOGUES[Language.TRADITIONAL]
    sentences = (*words.sentences.values(), *(way for ways in words.ways.values() for way in ways))
    told = {in_cantonese(one): one for one in sentences if "{" not in one[:1]}
    return {_CLAUSE.findall(spoken)[0]: _CLAUSE.findall(one)[0] for spoken, one in told.items()}


def in_mandarin(answer: str) -> str:
    """An answer in Cantonese with its first clause, which has the yes or no, in Mandarin."""
    return _CLAUSE.sub(lambda first: _written().get(first[0], first[0]), answer, count=1)


def says_yes(answer: str) -> bool:
    answer = in_mandarin(answer)
    return YES.match(answer) is not None if not STATED.search(answer) else not DENIED.search(answer)


def says_no(answer: str) -> bool:
    answer = in_mandarin(answer)
    return NO.match(answer) is not None if not STATED.search(answer) else DENIED.search(answer) is not None
