"""One turn of a conversation about a cast: the narrators of the first question and of what is asked now."""

from collections.abc import Collection
from functools import cached_property

from liuyao.care.kinds import Caution
from liuyao.divination import Divination
from liuyao.reading.judgement import judge
from liuyao.reading.language import Language
from liuyao.reading.narrative import Narrator
from liuyao.reading.plate import Plate
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.text import Text, read
from liuyao.reading.voice import Voice


class Turn:
    """The follow-up `text` about a divination, for which `asked` was asked first."""

    def __init__(
        self,
        divination: Divination,
        plate: Plate,
        asked: Inquiry,
        text: str,
        language: Language,
        cautions: Collection[Caution | None],
    ) -> None:
        self.asked = asked
        self.words = text
        self._divination = divination
        self._plate = plate
        self._language = language
        self._cautions = cautions

    @cached_property
    def text(self) -> Text:
        """The follow-up, read."""
        return read(self.words)

    @cached_property
    def question(self) -> Text:
        """The first question, read."""
        return read(self._divination.question)

    def plain(self, inquiry: Inquiry) -> Narrator:
        """Return a narrator that says everything in the first way."""
        return self._narrator(Voice(self._language, self._divination, heard=self.words), self._divination, inquiry)

    @cached_property
    def first(self) -> Narrator:
        """The narrator of the first question that words its answer as the reading did."""
        voice = Voice(self._language, self._divination, varies=True, heard=self.words)
        return self._narrator(voice, self._divination, self.asked)

    @cached_property
    def retold(self) -> Narrator:
        """The narrator of the first question that words its answer anew."""
        return self.again(self._divination, self.asked)

    def again(self, divination: Divination, inquiry: Inquiry) -> Narrator:
        """Return the narrator of an inquiry on the same plate, `divination` having its question."""
        voice = Voice(self._language, divination, varies=True, turn=self.words)
        return self._narrator(voice, divination, inquiry)

    def in_its_words(self, inquiry: Inquiry) -> Narrator:
        """Return the narrator of what the follow-up itself asks."""
        return self.again(self._divination.model_copy(update={"question": self.words}), inquiry)

    def _narrator(self, voice: Voice, divination: Divination, inquiry: Inquiry) -> Narrator:
        return Narrator(voice, self._plate, judge(self._plate, inquiry), divination, self._cautions)
