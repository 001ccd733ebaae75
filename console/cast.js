/** From coins or a time to lines (protocol `divination-run.md`): the flower side of three coins is counted. */

export const OLD_YIN = "老阴";
export const YOUNG_YANG = "少阳";
export const YOUNG_YIN = "少阴";
export const OLD_YANG = "老阳";
export const LINES = [YOUNG_YANG, YOUNG_YIN, OLD_YANG, OLD_YIN];

const BY_FLOWERS = [OLD_YIN, YOUNG_YANG, YOUNG_YIN, OLD_YANG];

/** Three coins of the platform's own randomness; true is the flower side. */
export function throwCoins() {
  const [bits] = crypto.getRandomValues(new Uint8Array(1));
  return [1, 2, 4].map((bit) => Boolean(bits & bit));
}

export const lineOf = (coins) => BY_FLOWERS[coins.filter(Boolean).length];
export const isYang = (line) => line === YOUNG_YANG || line === OLD_YANG;
export const moves = (line) => line === OLD_YANG || line === OLD_YIN;

const TRIGRAMS = ["111", "110", "101", "100", "011", "010", "001", "000"]; // 乾 兑 离 震 巽 坎 艮 坤, 初爻 first
const DAY = 86_400_000;

/** The table of solar terms that the service derives with. Throws where it cannot be had. */
export async function solarTerms() {
  const response = await fetch(new URL("./solar_terms.json", import.meta.url));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const { first_year: firstYear, years } = await response.json();
  return { firstYear, months: years.flat() };
}

/** The lines of a date in local time, as 《梅花易数》 counts the branches of its year, month, day and hour; none if the
 * table ends before it. */
export function linesAt(date, { firstYear, months }) {
  const seconds = Math.floor(date.getTime() / 1000);
  const month = months.findLastIndex((start) => start <= seconds);
  if (month < 0 || month === months.length - 1) return [];
  const year = (firstYear + Math.floor(month / 12) - 4) % 12;
  const days = Math.round((Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - Date.UTC(2000, 0, 1)) / DAY);
  const day = days + 54 + (date.getHours() === 23); // 2000-01-01 is 戊午; a day begins at 23:00
  const hour = Math.floor((date.getHours() + 1) / 2) % 12;
  const ofDay = year + 1 + ((month % 12) + 1) + ((((day % 12) + 12) % 12) + 1);
  const whole = ofDay + hour + 1;
  const code = TRIGRAMS[(whole - 1) % 8] + TRIGRAMS[(ofDay - 1) % 8];
  return [...code].map((line, index) => {
    const isMoving = index === (whole - 1) % 6;
    return line === "1" ? (isMoving ? OLD_YANG : YOUNG_YANG) : isMoving ? OLD_YIN : YOUNG_YIN;
  });
}

/** A moment in local time with its offset, as RFC 3339 has it. */
export function now(date = new Date()) {
  const offset = -date.getTimezoneOffset();
  const two = (value) => String(Math.floor(Math.abs(value))).padStart(2, "0");
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? "-" : "+"}${two(offset / 60)}:${two(offset % 60)}`;
}

/** What a run of this cast is submitted with; `at` is when it was cast. */
export function runInput({ threadId, runId, question, matter, lines, byHand, at }) {
  const date = new Date();
  return {
    threadId,
    runId,
    state: {},
    messages: [{ id: `msg_${runId}_user_0`, role: "user", content: question }],
    tools: [],
    context: [],
    forwardedProps: {
      runtime_mode: "chat",
      client_time: {
        device_timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        client_now_iso: now(date),
        client_epoch_ms: date.getTime(),
      },
      divinationPayload: {
        divinationMethod: byHand ? "手动起卦" : "自动起卦",
        questionType: matter,
        question,
        divinationTimeIso: now(at ?? date),
        yaoLines: lines,
      },
    },
  };
}
