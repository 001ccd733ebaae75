/**
 * Draws the plate (排盘) as the books do, 上爻 on top: 六神, the original hexagram with relation, stem and branch, what is
 * hidden below a line, the marks of movement, 世 and 应, the 用神, and the changed hexagram. Terms stay Chinese in every
 * language; in English each line has a gloss. A line explains itself in the page's language when it is chosen.
 */
import { html, useState } from "./dom.js";
import { Moving } from "./hexagram.js";
import { palaceOf, stemInPalace, stemOf } from "./najia.js";
import { spell } from "./script.js";
import { currentLanguage, t } from "./words.js";

// On a phone of 360 pixels a unit is 0.85 of one: a text of 14.2 has 12 pixels there, and a row of 54 has 45.
const WIDTH = 364;
const TOP = 46;
const [SPIRIT, NAME, BAR, BAR_WIDTH, MARK, SIDE, CHANGED, CHANGED_WIDTH] = [12, 26, 122, 58, 192, 211, 226, 40];
const ELEMENTS = { 木: "wood", 火: "fire", 土: "earth", 金: "metal", 水: "water" };

const isGlossed = () => currentLanguage() === "en";

/** A line's relation, stem, branch and element, and 空 after them if its branch is void. */
const Name = ({ line, stem, isVoid, x, y }) => html`<text class="name" x=${x} y=${y}>
  ${spell(line.relationName)}<tspan class=${ELEMENTS[line.elementName]}>${stem}${line.tiganName}${line.elementName}</tspan
  >${isVoid && html`<tspan class="emptied">空</tspan>`}
</text>`;

const Gloss = ({ line, x, y, withElement = false }) =>
  html`<text class="gloss" lang="en" x=${x} y=${y}>${t(`plate.gloss.${line.relationName}`)}${withElement && `, ${t(`element.${line.elementName}`)}`}</text>`;

const Head = ({ of }) => isGlossed() && html`<tspan lang="en"> ${t(`plate.head.${of}`)}</tspan>`;

/** Marks the 用神 of the reading. */
const Badge = ({ x, y, width }) => html`<g class="focus">
  <rect x=${x} y=${y - 14} width=${width} height="18" rx="3" />
  <text x=${x + width / 2} y=${y} text-anchor="middle">用${isGlossed() ? html`<tspan lang="en"> focus</tspan>` : "神"}</text>
</g>`;

const Bar = ({ x, y, width, isYang }) =>
  isYang
    ? html`<rect class="bar" x=${x} y=${y - 12} width=${width} height="13" />`
    : html`<rect class="bar" x=${x} y=${y - 12} width=${width * 0.42} height="13" />
        <rect class="bar" x=${x + width * 0.58} y=${y - 12} width=${width * 0.42} height="13" />`;

/** `focus` is the 用神, `{ position, isHidden }` or null; `lit` are the lines that a reason names; with `forms` the rows
 * come one after another. */
export function Plate({ divination, focus = null, lit = [], forms = false }) {
  const [chosen, choose] = useState(null);
  const changes = divination.hasChangingYao;
  const names = [spell(divination.guaName)];
  if (changes) names.push(spell(divination.targetGuaName));
  const { ganzhi } = divination;
  const pillars = [
    [ganzhi.yearGanZhi, "年"],
    [ganzhi.monthGanZhi, "月"],
    [ganzhi.dayGanZhi, "日"],
    [ganzhi.timeGanZhi, spell("时")],
  ];
  const rows = [6, 5, 4, 3, 2, 1].map((position) => ({
    position,
    line: divination.yaoInfoList.find((each) => each.position === position),
    target: divination.targetYaoInfoList.find((each) => each.position === position),
    hidden: divination.fushenInfoList.find((each) => each.position === position),
  }));
  const shift = changes ? 0 : 54;
  const glossed = isGlossed();
  const step = glossed ? (rows.some((each) => each.hidden) ? 70 : 58) : 54;
  const badge = glossed ? 60 : 34;
  const { binaryCode, changedBinaryCode } = divination;
  const palaces = [palaceOf(binaryCode), ...(changes ? [palaceOf(changedBinaryCode)] : [])];
  const isVoid = (line) => ganzhi.dayKongWang.includes(line.tiganName);
  const isFocus = (position, isHidden) => focus?.position === position && focus.isHidden === isHidden;
  const told = (row) => describe(row, isVoid, focus);
  const toggle = (position) => choose(chosen === position ? null : position);
  const Term = ({ of, children }) => html`<button type="button" class="term" lang="zh" aria-pressed=${chosen === of ? "true" : "false"} onClick=${() => toggle(of)}>${children}</button>`;
  return html`<figure class=${forms ? "plate forms" : "plate"}>
    <figcaption>
      <h2 lang="zh">${names.join(" 之 ")}</h2>
      <p class="palaces">
        ${palaces.map(
          ({ palace, generation }, index) => html`<span>
            <span lang="zh">${spell(palace)}${spell("宫")} ${spell(generation)}</span>${glossed && html` <span class="gloss">${t("plate.palace", { palace: t(`palace.${palace}`), generation: t(`generation.${generation}`) })}</span>`}
          </span>${index === 0 && changes && html`<span aria-hidden="true">→</span>`}`,
        )}
      </p>
      <p class="pillars" lang="zh">
        ${pillars.map(([pillar, unit]) => html`<span>${pillar}<small>${unit}</small></span>`)}
        <${Term} of="旬空">${spell("旬空")} ${ganzhi.dayKongWang}<//>
      </p>
    </figcaption>
    <svg
      viewBox=${`0 0 ${WIDTH} ${TOP + 6 * step - (step - 54)}`}
      role="group"
      aria-label=${t("plate.label", { name: names.join(" 之 ") })}
      lang="zh"
    >
      <g class="heads" aria-hidden="true">
        <text x=${4 + shift} y="16">${spell("六神")}<${Head} of="spirits" /></text>
        <text x=${BAR + BAR_WIDTH / 2 + shift} y="16" text-anchor="middle">${spell("本卦")}<${Head} of="cast" /></text>
        ${changes && html`<text x=${CHANGED} y="16">${spell("变")}卦<${Head} of="changed" /></text>`}
        <path d=${`M0 26H${WIDTH}`} />
      </g>
      ${rows.map((row) => {
        const { position, line, target, hidden } = row;
        const y = TOP + (6 - position) * step + 14;
        const moving = line.isChanging;
        const classes = ["row", `n${position}`, moving && "moving", chosen === position && "chosen", lit.includes(position) && "lit"];
        const below = y + (glossed ? 34 : 18);
        const isHiddenFocus = isFocus(position, true);
        const beside = isHiddenFocus ? badge + 5 : 0;
        return html`<g key=${position} class=${classes.filter(Boolean).join(" ")}>
          <rect class="ground" x="0" y=${y - 30} width=${WIDTH} height=${step - 1} rx="6" />
          <g aria-hidden="true">
          <text class="spirit" x=${SPIRIT + shift} y=${y} text-anchor="middle">${spell(line.spiritName)}</text>
          <${Name} line=${line} stem=${stemOf(binaryCode, position)} isVoid=${isVoid(line)} x=${NAME + shift} y=${y} />
          ${glossed && html`<${Gloss} line=${line} withElement x=${NAME + shift} y=${y + 17} />`}
          ${
            hidden &&
            html`<text class="below" x=${NAME + beside + shift} y=${below}>
              伏${spell(hidden.relationName)}${stemInPalace(palaces[0].palace, position)}${hidden.tiganName}${hidden.elementName}${isVoid(hidden) ? "空" : ""}
            </text>`
          }
          ${isHiddenFocus && html`<${Badge} x=${NAME + shift} y=${below} width=${badge} />`}
          <${Bar} x=${BAR + shift} y=${y} width=${BAR_WIDTH} isYang=${line.isYang} />
          ${isFocus(position, false) && html`<${Badge} x=${BAR + shift + (glossed ? 8 : (BAR_WIDTH - badge) / 2)} y=${y + 18} width=${badge} />`}
          ${moving && html`<${Moving} x=${MARK} y=${y - 5.5} isYang=${line.isYang} size=${6} />`}
          ${line.specialMark && html`<text class="side" x=${SIDE + shift} y=${y} text-anchor="middle">${spell(line.specialMark)}</text>`}
          ${
            changes &&
            target &&
            html`<g class=${moving ? "target" : "target still"}>
              <${Bar} x=${CHANGED} y=${y} width=${CHANGED_WIDTH} isYang=${target.isYang} />
              <${Name} line=${target} stem=${stemOf(changedBinaryCode, position)} isVoid=${isVoid(target)} x=${CHANGED + CHANGED_WIDTH + 6} y=${y} />
              ${glossed && html`<${Gloss} line=${target} x=${CHANGED + CHANGED_WIDTH + 6} y=${y + 17} />`}
            </g>`
          }
          </g>
          <rect
            class="hit"
            x="0"
            y=${y - 30}
            width=${WIDTH}
            height=${step - 1}
            role="button"
            tabindex="0"
            aria-pressed=${chosen === position ? "true" : "false"}
            aria-label=${told(row)}
            lang=${currentLanguage()}
            onClick=${() => toggle(position)}
            onKeyDown=${(event) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              toggle(position);
            }}
          />
        </g>`;
      })}
    </svg>
    <p class="told" role="status" aria-hidden=${chosen === null ? "true" : undefined}>
      ${chosen === null ? t("plate.hint") : typeof chosen === "string" ? explained(chosen) : told(rows.find((row) => row.position === chosen))}
    </p>
    <${Notes} divination=${divination} Term=${Term} />
  </figure>`;
}

function describe({ position, line, target, hidden }, isVoid, focus) {
  const named = (each) =>
    t("plate.named", {
      term: spell(each.relationName),
      relation: t(`relation.${each.relationName}`),
      branch: each.tiganName,
      element: t(`element.${each.elementName}`),
    });
  const said = [
    `${t(`line.${position}`)}${t("colon")}${named(line)}`,
    t(line.isYang ? "plate.yang" : "plate.yin"),
    t("plate.spirit", { name: t(`spirit.${line.spiritName}`) }),
  ];
  if (line.specialMark) said.push(t(`side.${line.specialMark}`));
  if (isVoid(line)) said.push(t("plate.void"));
  if (line.isChanging && target) said.push(t("plate.moves", { to: named(target) }));
  if (hidden) said.push(t("plate.hidden", { line: named(hidden) }));
  if (focus?.position === position) said.push(t(focus.isHidden ? "plate.focus.hidden" : "plate.focus"));
  return said.join(t("comma")) + t("period");
}

const TERMS = [
  ...["六冲卦", "六合卦", "游魂", "归魂", "六冲变六冲", "六冲变六合", "六合变六冲", "六合变六合", "内卦伏吟", "外卦伏吟"],
  ...["内卦反吟", "外卦反吟", "六爻安静", "独发", "独静", "六爻皆动", "回头生", "回头克", "回头冲", "回头合", "化进神", "化退神"],
  ...["化空", "化破", "化墓", "化绝", "三合", "六冲", "六合", "临月建", "临日辰", "月破", "月合", "旬空", "合起", "合绊", "冲空"],
  ...["暗动", "日破", "日冲"],
];

/** Texts of notes by the term in them. The first match counts, so longer terms come first. */
function explained(note) {
  const term = TERMS.find((each) => note.includes(each));
  return `${spell(note)}${t("colon")}${term ? t(`term.${term}`) : note}`;
}

function Notes({ divination, Term }) {
  const notes = [...divination.specialStatus, ...divination.interactions, ...divination.timeEffect];
  if (!notes.length) return null;
  return html`<ul class="notes" lang="zh" aria-label=${t("plate.notes")}>
    ${notes.map((note) => html`<li><${Term} of=${note}>${spell(note)}<//></li>`)}
  </ul>`;
}
