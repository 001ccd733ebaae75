/** Derives what a response leaves out of a hexagram: its palace, its place in it, and its lines' stems. Source: 京房纳甲. */

/** By a trigram's lines, the lowest first; its stems as the lower and as the upper trigram. */
const TRIGRAMS = {
  ...{ 111: ["乾", "甲壬"], 110: ["兑", "丁丁"], 101: ["离", "己己"], 100: ["震", "庚庚"] },
  ...{ "011": ["巽", "辛辛"], "010": ["坎", "戊戊"], "001": ["艮", "丙丙"], "000": ["坤", "乙癸"] },
};

/** The lines in which each hexagram of a palace differs from the one before. */
const GENERATIONS = { 八纯: "", 一世: "1", 二世: "2", 三世: "3", 四世: "4", 五世: "5", 游魂: "4", 归魂: "123" };

const PALACES = new Map(
  Object.entries(TRIGRAMS).flatMap(([lines, [palace]]) => {
    let code = lines + lines;
    return Object.entries(GENERATIONS).map(([generation, changing]) => {
      code = [...code].map((line, index) => (changing.includes(index + 1) ? "10"[line] : line)).join("");
      return [code, { palace, generation }];
    });
  }),
);

/** The palace (宫) of a hexagram and its place there (世数), by its six lines, the lowest first. */
export const palaceOf = (code) => PALACES.get(code);

/** The stem (纳干) of a hexagram's line, from 1 to 6. */
export const stemOf = (code, position) => TRIGRAMS[position > 3 ? code.slice(3) : code.slice(0, 3)][1][position > 3 ? 1 : 0];

/** The stem of a line that the hexagram of a palace's own trigram has: that of a hidden line (伏神). */
export const stemInPalace = (palace, position) => Object.values(TRIGRAMS).find(([name]) => name === palace)[1][position > 3 ? 1 : 0];

const NAMED = /([初二三四五上])爻|\blines? (\d)(?: and (\d))?/g;

/** The lines that a sentence of a reading names, from 1 to 6: by number, as the focus (用神), or as 世 and 应. */
export function linesIn(text, { focus, world, response } = {}) {
  const found = new Set();
  for (const [, name, ...numbers] of text.matchAll(NAMED)) {
    if (name) found.add("初二三四五上".indexOf(name) + 1);
    for (const each of numbers.filter(Boolean)) found.add(Number(each));
  }
  if (focus && /用神|focus line/i.test(text)) found.add(focus);
  if (world && /世爻|持世|asker's line/i.test(text)) found.add(world);
  if (response && /应爻|應爻|other side's line/i.test(text)) found.add(response);
  return [...found].filter((each) => each >= 1 && each <= 6).sort();
}

/** The focus (用神) that the first reason of a reading names: its position, and whether it is a hidden line. */
export function focusOf({ focus_points: [first = ""] = [], divination_derived: { worldPosition, responsePosition } }) {
  const [named] = first.matchAll(NAMED);
  if (named) return { position: linesIn(named[0])[0], isHidden: /伏神|hidden line/.test(first) };
  const position = /世爻|asker's line/i.test(first) ? worldPosition : /应爻|應爻|other side's line/i.test(first) ? responsePosition : null;
  return position && { position, isHidden: false };
}
