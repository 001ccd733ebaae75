/** The agents that the user may use, labelled in the page's language: read when the page opens and when its language changes, for the picker of a conversation and for views of one agent. */
import { knowledge } from "./known.js";
import { currentLanguage } from "./words.js";

const KEPT = "yarrow.agents";

const { now, publish, use } = knowledge({ agents: null, names: remembered(), isFailed: false });

/** The names of the last visit, so that the navigation does not change once the list has come. */
function remembered() {
  try {
    const names = JSON.parse(localStorage.getItem(KEPT));
    return Array.isArray(names) ? names : null;
  } catch {
    return null;
  }
}

export function readAgents(api) {
  const locale = currentLanguage();
  return api.agents({ locale }).then(
    ({ agents }) => {
      if (locale !== currentLanguage()) return; // a later answer has them in the language of now
      const names = agents.map((each) => each.name);
      localStorage.setItem(KEPT, JSON.stringify(names));
      publish({ agents, names, isFailed: false });
    },
    () => publish({ isFailed: true }), // the service then chooses the agent, and no view is left out
  );
}

/** Return the agents by name, which are read if they have not come yet; none if the service does not tell. */
export async function agentsByName(api) {
  if (!now().agents) await readAgents(api);
  return new Map((now().agents ?? []).map((each) => [each.name, each]));
}

/** Return what is known of the agents: the list, null until it has come, and the names, of the last visit until then. */
export const useAgents = use;

/** An agent's name in the page's language; that of an agent that is not listed is its own. */
export const labelOf = (agents, name) => agents?.find((each) => each.name === name)?.label ?? name;

/** Whether a message is all that a run of an agent takes. */
export const talks = (agent) => agent.surfaces.includes("agui") && !agent.input;
