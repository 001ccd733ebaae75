/** Folds a run's rows into the lines of the list: deltas of one part become one line with their text. */

const PARTS = { TEXT_MESSAGE_CONTENT: "messageId", REASONING_MESSAGE_CONTENT: "messageId", TOOL_CALL_ARGS: "toolCallId" };
const LONGEST = 20_000; // characters of a line that are kept for its text

const partOf = ({ type, ...members }) => (PARTS[type] && typeof members.delta === "string" ? `${type} ${members[PARTS[type]]}` : null);

/** What one looks for in a line: everything in its events. */
const searched = (line) => (line.searched ??= (line.rows.length > 1 ? `${line.type} ${line.text}` : JSON.stringify(line.rows[0].event)).toLowerCase());

function lineOf(row, part) {
  return { id: row.id, type: row.event.type, part, rows: [row], text: part === null ? "" : row.event.delta, bytes: row.bytes, at: row.at };
}

/** Return the lines of the rows, each with its `rows`; a line `{ cut }` stands where a connection was cut. `wanted` is a text
 * in lower case, which lines without it are left out by. */
export function linesOf(rows, cuts, { isFolded = true, wanted = "" } = {}) {
  const breaks = new Set(cuts);
  const lines = [];
  let open = null;
  for (const row of rows) {
    const part = isFolded ? partOf(row.event) : null;
    const isCut = breaks.has(row.id - 1);
    if (open && part !== null && part === open.part && !isCut) {
      open.rows.push(row);
      if (open.text.length < LONGEST) open.text += row.event.delta;
      open.bytes += row.bytes;
      continue;
    }
    if (isCut) lines.push({ id: row.id, cut: row.id - 1 });
    lines.push((open = lineOf(row, part)));
  }
  return wanted ? lines.filter((line) => line.cut === undefined && searched(line).includes(wanted)) : lines;
}

/** The numbers of a line's events, such as `5–214`. */
export const numbers = ({ rows }) => (rows.length > 1 ? `${rows[0].id}–${rows.at(-1).id}` : String(rows[0].id));

/** How many events lines have. */
export const countOf = (lines) => lines.reduce((sum, line) => sum + (line.rows?.length ?? 0), 0);

/** What a line shows beside its type: its text, or the names and ids in its event. */
const TOLD = ["delta", "content", "toolCallName", "stepName", "name", "code", "message", "role", "messageId", "toolCallId"];
export function preview({ text, rows }) {
  if (text) return text.slice(0, 300);
  const { event } = rows[0];
  const found = TOLD.find((member) => typeof event[member] === "string" && event[member]);
  return found ? event[found].slice(0, 300) : "";
}
