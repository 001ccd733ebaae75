// Divides the time that a client waits between connections; the limit of a silence stays.

const LONGEST_WAIT = 30_000;
const { setTimeout } = globalThis;

export function hurry(by) {
  globalThis.setTimeout = (act, wait, ...rest) => setTimeout(act, wait > LONGEST_WAIT ? wait : wait / by, ...rest);
}
