"""How English words of danger are often misspelt."""

from collections.abc import Mapping
from typing import Final

_MISSPELT: Final = {
    "pills": "pils pilz pillz pilss piils",
    "sorry": "sory soory srry sry",
    "medicine": "medicin medecine medcine medisin medicen medicene",
    "tonight": "tonite tonght 2nite tnite",
    "friend": "freind frend",
    "daughter": "dauhter daugther dauther doughter daugher dauhgter",
    "breathing": "breating brething breatheing breathin",
    "breathe": "breth brethe breeth",
    "die": "diee",
    "dying": "dieing dyeing diying dyin",
    "kill": "kil kll kiill",
    "suicide": "suicde sucide suiside suacide suicied suecide suisid",
    "hurting": "hurtin hurtng",
    "living": "livin liveing",
    "anymore": "anymor anymroe anymoe",
    "unconscious": "unconcious unconsious unconcsious",
    "hospital": "hosptial hospitel",
    "doctor": "docter doctr",
    "because": "becuase becaus cuz",
    "swallowed": "swalowed swallowd",
    "swallow": "swalow swollow",
    "poison": "posion poisen poisin",
    "stopped": "stoped",
    "stopping": "stoping",
    "emergency": "emergancy",
    "without": "witout wihout",
    "want": "wnat",
    "killing": "kiling",
    "wish": "whish",
    "heart": "haert",
    "razor": "razer rasor",
    "chest": "chesst",
    "bleeding": "bleding bleedin",
}

SPELLINGS: Final[Mapping[str, str]] = {wrong: word for word, wrongs in _MISSPELT.items() for wrong in wrongs.split()}
"""The word that each misspelling stands for."""
