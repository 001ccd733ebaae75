/** Chooses the agent of a new conversation: each with what it takes; for one that takes more than messages, the way to it. */
import { talks } from "../agents.js";
import { html } from "../dom.js";
import { address } from "../router.js";
import { t } from "../words.js";

const AGENT = "yarrow.agent";
const SURFACES = ["workspace", "automation"];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a part of an address is a conversation's id; another names an agent, whose names have no such form. */
export const isThread = (part) => UUID.test(part);

/** Keep the agent of later conversations of this tab, and that of one. */
export const keepAgent = (name) => sessionStorage.setItem(AGENT, name);
export const keepAgentOf = (threadId, name) => sessionStorage.setItem(`${AGENT}.${threadId}`, name);
export const agentOf = (threadId) => sessionStorage.getItem(`${AGENT}.${threadId}`);

/** Return the agent that a new conversation is with: the one asked for, else the last one, else the first that talks. */
export function chosenAgent(agents, asked) {
  const found = (agents ?? []).filter(talks);
  return [asked, sessionStorage.getItem(AGENT)].map((name) => found.find((each) => each.name === name)).find(Boolean) ?? found[0];
}

const takes = (agent) => ["message", ...SURFACES.filter((each) => agent.surfaces.includes(each))].map((each) => t(`talk.takes.${each}`)).join(t("talk.takes.and"));

function Other({ agent }) {
  const isCast = agent.name === "divination";
  const way = isCast ? address("cast") : agent.taskName ? address("workspace", agent.taskName) : null;
  const needs = isCast ? t("talk.takes.cast") : way ? t("talk.takes.open") : t("talk.takes.more");
  const about = html`<b>${agent.label}</b><span class="fine">${needs}</span>`;
  return html`<li>${way ? html`<a class="card" href=${way}>${about}</a>` : html`<span class="card">${about}</span>`}</li>`;
}

export function AgentPicker({ agents, chosen, asked, choose }) {
  const found = agents.filter(talks);
  const others = agents.filter((each) => each.input);
  const refused = asked && asked !== chosen?.name && (agents.find((each) => each.name === asked)?.label ?? asked);
  const isKnown = agents.some((each) => each.name === asked);
  const isTwice = ({ label }) => found.filter((each) => each.label === label).length > 1;
  if (found.length + others.length < 2 && !refused) return null;
  return html`
    ${
      refused &&
      html`<div class="problem" role="alert">
        <p><strong>${t(isKnown ? "talk.agent.other" : "talk.agent.unknown", { agent: refused })}</strong> ${chosen ? t("talk.agent.instead", { agent: chosen.label }) : ""}</p>
      </div>`
    }
    <fieldset class="agents">
      <legend>${t("talk.agent")}</legend>
      <ul>
        ${found.map(
          (each) => html`<li key=${each.name}>
            <label>
              <input type="radio" name="agent" value=${each.name} checked=${each.name === chosen?.name} onChange=${() => choose(each.name)} />
              <span class="card"><b>${each.label}${isTwice(each) && html` <code>${each.name}</code>`}</b><span class="fine">${takes(each)}</span></span>
            </label>
          </li>`,
        )}
        ${others.map((each) => html`<${Other} key=${each.name} agent=${each} />`)}
      </ul>
    </fieldset>
  `;
}
