"""A short English name for each of the 64 hexagrams, given once beside the Chinese name (guaName)."""

from typing import Final

_NAMES = (
    "乾为天 The Creative|天风姤 Coming to Meet|天山遁 Retreat|天地否 Standstill|风地观 Contemplation|"
    "山地剥 Splitting Apart|火地晋 Progress|火天大有 Great Possession|兑为泽 The Joyous|泽水困 Oppression|"
    "泽地萃 Gathering|泽山咸 Influence|水山蹇 Obstruction|地山谦 Modesty|雷山小过 Small Excess|"
    "雷泽归妹 The Marrying Maiden|离为火 The Clinging|火山旅 The Wanderer|火风鼎 The Cauldron|"
    "火水未济 Before Completion|山水蒙 Youthful Folly|风水涣 Dispersion|天水讼 Conflict|天火同人 Fellowship|"
    "震为雷 The Arousing|雷地豫 Enthusiasm|雷水解 Deliverance|雷风恒 Duration|地风升 Pushing Upward|"
    "水风井 The Well|泽风大过 Great Excess|泽雷随 Following|巽为风 The Gentle|风天小畜 Small Taming|"
    "风火家人 The Family|风雷益 Increase|天雷无妄 Innocence|火雷噬嗑 Biting Through|山雷颐 Nourishment|"
    "山风蛊 Work on the Decayed|坎为水 The Abysmal|水泽节 Limitation|水雷屯 Difficulty at the Beginning|"
    "水火既济 After Completion|泽火革 Revolution|雷火丰 Abundance|地火明夷 Darkening of the Light|"
    "地水师 The Army|艮为山 Keeping Still|山火贲 Grace|山天大畜 Great Taming|山泽损 Decrease|"
    "火泽睽 Opposition|天泽履 Treading|风泽中孚 Inner Truth|风山渐 Gradual Progress|坤为地 The Receptive|"
    "地雷复 Return|地泽临 Approach|地天泰 Peace|雷天大壮 Great Power|泽天夬 Breakthrough|水天需 Waiting|"
    "水地比 Holding Together"
)

HEXAGRAM_NAMES: Final = dict(entry.split(" ", 1) for entry in _NAMES.split("|"))
