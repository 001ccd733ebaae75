/** Turns coins or a time into lines (protocol `divination-run.md`): the flower sides of three coins are counted. */

export const OLD_YIN = "老阴";
export const YOUNG_YANG = "少阳";
export const YOUNG_YIN = "少阴";
export const OLD_YANG = "老阳";
export const LINES = [YOUNG_YANG, YOUNG_YIN, OLD_YANG, OLD_YIN];

const BY_FLOWERS = [OLD_YIN, YOUNG_YANG, YOUNG_YIN, OLD_YANG];

/** Throw three coins by the platform's randomness; true is the flower side. */
export function throwCoins() {
  const [bits] = crypto.getRandomValues(new Uint8Array(1));
  return [1, 2, 4].map((bit) => Boolean(bits & bit));
}

export const lineOf = (coins) => BY_FLOWERS[coins.filter(Boolean).length];
export const isYang = (line) => line === YOUNG_YANG || line === OLD_YANG;
export const moves = (line) => line === OLD_YANG || line === OLD_YIN;

const TRIGRAMS = ["111", "110", "101", "100", "011", "010", "001", "000"]; // 乾 兑 离 震 巽 坎 艮 坤, 初爻 first
const DAY = 86_400_000;

/** Load the service's table of solar terms. Throws if it is unavailable. */
export async function solarTerms() {
  const response = await fetch(new URL("./solar_terms.json", import.meta.url));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const { first_year: firstYear, years } = await response.json();
  return { firstYear, months: years.flat() };
}

const radians = (degrees) => ((degrees % 360) * Math.PI) / 180;

/** True less mean solar time in minutes, within 5 s: Smart's formula (Meeus, Astronomical Algorithms, 28.3). */
function equationOfTime(date) {
  const t = (date.getTime() / 1000 - 946_728_000) / (36_525 * 86_400);
  const longitude = radians(280.46646 + (36_000.76983 + 0.0003032 * t) * t);
  const anomaly = radians(357.52911 + (35_999.05029 - 0.0001537 * t) * t);
  const eccentricity = 0.016708634 - (0.000042037 + 0.0000001267 * t) * t;
  const y = Math.tan(radians(23.439291 - 0.0130042 * t) / 2) ** 2;
  const angle =
    y * Math.sin(2 * longitude) -
    2 * eccentricity * Math.sin(anomaly) +
    4 * eccentricity * y * Math.sin(anomaly) * Math.cos(2 * longitude) -
    (y * y * Math.sin(4 * longitude)) / 2 -
    (5 * eccentricity * eccentricity * Math.sin(2 * anomaly)) / 4;
  return (4 * 180 * angle) / Math.PI;
}

/** Minutes from UTC to the true solar time of a longitude, in degrees, east positive; on the day of the clock. */
export function solarOffset(date, longitude) {
  const offset = Math.round(4 * longitude + equationOfTime(date));
  const ahead = offset + date.getTimezoneOffset();
  const nearer = Math.abs(ahead) > 720 ? offset - Math.sign(ahead) * 1440 : offset;
  return Math.abs(nearer) < 1440 ? nearer : offset;
}

/** The wall clock of a date, in UTC's fields: local, or at an offset in minutes. */
const wallClock = (date, offset) =>
  offset === undefined
    ? new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate(), date.getHours()))
    : new Date(date.getTime() + offset * 60_000);

/** The lines of a date in local time, or at an offset in minutes, as 《梅花易数》 counts the branches of its year, month,
 * day and hour; none if the table ends before it. */
export function linesAt(date, { firstYear, months }, offset) {
  const seconds = Math.floor(date.getTime() / 1000);
  const month = months.findLastIndex((start) => start <= seconds);
  if (month < 0 || month === months.length - 1) return [];
  const year = (firstYear + Math.floor(month / 12) - 4) % 12;
  const wall = wallClock(date, offset);
  const days = Math.floor((wall.getTime() - Date.UTC(2000, 0, 1)) / DAY);
  const day = days + 54 + (wall.getUTCHours() === 23); // 2000-01-01 is 戊午; a day begins at 23:00
  const hour = Math.floor((wall.getUTCHours() + 1) / 2) % 12;
  const ofDay = year + 1 + ((month % 12) + 1) + ((((day % 12) + 12) % 12) + 1);
  const whole = ofDay + hour + 1;
  const code = TRIGRAMS[(whole - 1) % 8] + TRIGRAMS[(ofDay - 1) % 8];
  return [...code].map((line, index) => {
    const isMoving = index === (whole - 1) % 6;
    return line === "1" ? (isMoving ? OLD_YANG : YOUNG_YANG) : isMoving ? OLD_YIN : YOUNG_YIN;
  });
}

/** A moment in local time, or at an offset in minutes, as RFC 3339 has it. */
export function now(date = new Date(), offset = -date.getTimezoneOffset()) {
  const two = (value) => String(Math.floor(Math.abs(value))).padStart(2, "0");
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? "-" : "+"}${two(offset / 60)}:${two(offset % 60)}`;
}

/** What a run of this cast is submitted with; `at` is when it was cast, by true solar time if there is a `longitude`. */
export function runInput({ threadId, runId, question, matter, lines, byHand, at, longitude }) {
  const date = new Date();
  const cast = at ?? date;
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
        divinationTimeIso: longitude === undefined ? now(cast) : now(cast, solarOffset(cast, longitude)),
        yaoLines: lines,
      },
    },
  };
}
