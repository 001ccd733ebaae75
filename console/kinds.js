/** Tells what a session is (a reading, a conversation, or work in a workspace), its title, and the address that opens it. */
import { html } from "./dom.js";
import { address } from "./router.js";
import { spell } from "./script.js";
import { t } from "./words.js";

/** Workspaces that come with the service, whose names the console has. */
export const KNOWN = ["cast", "assistant"];
export const taskTitle = (taskName, label) => (KNOWN.includes(taskName) ? t(`workspace.task.${taskName}`) : (label ?? taskName));

/** What the history of a session tells: its latest reading, its title, its agent, and whether it began in a workspace,
 * whose messages have ids of their own. A workspace may begin with its agent's words. */
export function about({ messages, agent }) {
  const output = messages.map((each) => each.agent_output).findLast((each) => each?.divination_derived);
  const asked = messages.filter((each) => each.role === "user");
  const title = output?.divination_derived.question ?? asked.find((each) => each.content.trim())?.content;
  return { output, title, agent, isInWorkspace: asked.length === 0 || asked[0].id.startsWith("message-") };
}

/** Return the kind of a session with its title, the parts of its address, and the name of whom or what it is with. */
export function sessionKind({ output, agent, isInWorkspace }, agents, config) {
  const listed = agents.get(agent);
  if (config.workspace && listed?.taskName && isInWorkspace) {
    return { kind: "workspace", parts: ["workspace", listed.taskName], title: t("workspace.title"), name: taskTitle(listed.taskName, listed.label) };
  }
  if (output?.divination_derived) return { kind: "reading", parts: ["reading"], title: t("reading.title"), name: hexagramOf(output) };
  return { kind: "talk", parts: ["talk"], title: t("talk.title"), name: listed?.label ?? "" };
}

/** What a session is, in a line: its kind, and whom or what it is with if its title does not say so. */
export const Kind = ({ kind, beside }) => html`<span>${kind.title}</span>${kind.name && kind.name !== beside && html`${" · "}<span lang=${kind.kind === "reading" ? "zh" : undefined}>${kind.name}</span>`}`;

export const opened = ({ parts }, threadId) => address(...parts, threadId);

const PATHS = {
  reading: "M3 5h18M3 12h7M14 12h7M3 19h18",
  talk: "M4 5h16v11H10l-4 4v-4H4z",
  workspace: "M4 4h16v16H4zM4 9h16M10 9v11",
};
export const Icon = ({ kind }) =>
  html`<svg class="kind" viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[kind]} /></svg>`;

/** The hexagram of a session, in the page's script. */
export const hexagramOf = (output) => (output?.divination_derived ? spell(output.divination_derived.guaName) : null);
