"""The texts of the command in the reader's language: `texts` has them in three."""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Final

from yarrow_client.cli.texts.codes import CODES
from yarrow_client.cli.texts.manual import ARGUMENTS, COMMANDS, MISTAKES
from yarrow_client.cli.texts.messages import MESSAGES

LANGUAGES: Final = ("en", "zh-CN", "zh-TW")

_TRADITIONAL: Final = str.maketrans(
    "应静变动归临独发内外头进绝冲克时对后随带乱杂关龙陈孙财宫与绊签阳阴",
    "應靜變動歸臨獨發內外頭進絕沖剋時對後隨帶亂雜關龍陳孫財宮與絆籤陽陰",
)


class Words:
    """The texts of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._index = LANGUAGES.index(language)

    def __call__(self, name: str, **values: object) -> str:
        return MESSAGES[name][self._index].format(**values)

    def command(self, name: str) -> str:
        """Return what a command does."""
        return COMMANDS[name][self._index]

    def argument(self, command: str, name: str, **values: object) -> str:
        """Return what an argument of a command is: its own text, or the one that all commands share."""
        texts = ARGUMENTS.get(f"{command} {name}") or ARGUMENTS[name]
        return texts[self._index].format(**values)

    def mistake(self, message: str) -> str:
        """Return what argparse says of wrong arguments; one that it has not said before stays English."""
        for pattern, texts in MISTAKES:
            if found := pattern.fullmatch(message):
                named = found.groupdict()
                if "rest" in named:
                    named["rest"] = self.mistake(named["rest"])
                return texts[self._index].format(**named)
        return message

    def problem(self, code: str | int, detail: str) -> str:
        """Return why the service refused or a run failed: its own sentence in English, or if the code has no text."""
        texts = CODES.get(str(code))
        return detail if texts is None or self.language == "en" else texts[self._index - 1]

    def spell(self, term: str) -> str:
        """Return a Chinese term in this language's characters."""
        return term.translate(_TRADITIONAL) if self.language == "zh-TW" else term


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language nearest to the locale."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next(filter(None, names), "").replace("-", "_").lower()
    if not name.startswith("zh"):
        return "en"
    return "zh-TW" if name.startswith(("zh_tw", "zh_hk", "zh_mo", "zh_hant")) else "zh-CN"


def language_asked(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """Return the language of `--lang`, which the help and the errors need before the arguments are parsed."""
    found = re.findall(r"(?:^|\0)--lang[=\0]([^\0]*)", "\0".join(arguments))
    return found[-1] if found and found[-1] in LANGUAGES else language_of(environment)
