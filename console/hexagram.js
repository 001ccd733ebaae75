/** Draws a hexagram that grows from the bottom as it is cast. */
import { html } from "./dom.js";
import { isYang, moves } from "./cast.js";
import { t } from "./words.js";

const WIDTH = 120;
const STEP = 26;

export function Hexagram({ lines }) {
  const name = lines.length ? lines.map((line, index) => `${t(`line.${index + 1}`)} ${t(`yao.${line}`)}`).join(", ") : t("cast.none");
  return html`<svg class=${lines.length === 6 ? "hexagram formed" : "hexagram"} viewBox=${`0 0 ${WIDTH + 40} ${6 * STEP + 4}`} role="img" aria-label=${name}>
    ${[0, 1, 2, 3, 4, 5].map((index) => {
      const y = (5 - index) * STEP + 4;
      const line = lines[index];
      if (!line) return html`<rect key=${`empty${index}`} class="place" x="0" y=${y + 6} width=${WIDTH} height="4" rx="2" />`;
      return html`<g key=${`${index}${line}`} class=${moves(line) ? "line moving" : "line"}>
        ${
          isYang(line)
            ? html`<rect x="0" y=${y} width=${WIDTH} height="16" rx="1.500" />`
            : html`<rect x="0" y=${y} width="50" height="16" rx="1.500" /><rect x="70" y=${y} width="50" height="16" rx="1.500" />`
        }
        ${moves(line) && html`<${Moving} x=${WIDTH + 20} y=${y + 8} isYang=${isYang(line)} />`}
      </g>`;
    })}
  </svg>`;
}

/** One line, with its mark if it moves. */
export const Line = ({ line }) => html`<svg class=${moves(line) ? "one moving" : "one"} viewBox="0 0 44 20" aria-hidden="true">
  ${isYang(line) ? html`<rect x="0" y="6" width="26" height="8" />` : html`<rect x="0" y="6" width="11" height="8" /><rect x="15" y="6" width="11" height="8" />`}
  ${moves(line) && html`<${Moving} x=${37} y=${10} isYang=${isYang(line)} size=${5} />`}
</svg>`;

/** The mark of a moving line: ○ of yang, × of yin. */
export const Moving = ({ x, y, isYang, size = 7 }) =>
  isYang
    ? html`<circle class="mark" cx=${x} cy=${y} r=${size} />`
    : html`<path class="mark" d=${`M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}`} />`;
