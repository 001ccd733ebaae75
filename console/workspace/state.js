/** Holds the state of a workspace, and applies frames to it. Missing or unknown members of a frame are ignored. */

const MOST_LINES = 500;
const MOST_MESSAGES = 1_000;

export const EMPTY = { sessions: null, active: "", ...parts() };

function parts() {
  return { messages: new Map(), prompts: new Map(), subtasks: new Map(), artifacts: new Map(), logs: new Map(), work: new Map() };
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const objects = (value) => (Array.isArray(value) ? value.filter(isObject) : []);
export const text = (value) => (typeof value === "string" ? value : typeof value === "number" ? String(value) : "");
/** Return the entries by session of an object. */
const bySession = (value, read) => new Map(Object.entries(isObject(value) ? value : {}).map(([id, of]) => [id, read(of)]));

/** Return the entries with an id; of two with the same one the later, in the place of the first. */
function once(items) {
  const found = new Map(items.map((each, index) => [text(each.id) || `at ${index}`, each]));
  return [...found.values()];
}
const messages = (value) =>
  once(objects(value)).sort((one, other) => (Number(one.createdAt) || 0) - (Number(other.createdAt) || 0)).slice(-MOST_MESSAGES);
const logs = (value) => once(objects(value)).slice(-MOST_LINES);
const artifacts = (value) => once(objects(value));
const prompt = (value) => (isObject(value) ? value : {});

/** Return the sessions, and the one to show: the service's, else the previous, else the first. */
function listed(state, data) {
  const sessions = objects(data.sessions).filter((each) => text(each.id));
  const wanted = [text(data.activeSessionId), state.active].find((id) => sessions.some((each) => each.id === id));
  return { ...state, sessions, active: wanted ?? sessions[0]?.id ?? "" };
}

const changed = (state, part, id, value) => ({ ...state, [part]: new Map(state[part]).set(id, value) });

/** Return the state after a frame; the same object if nothing changed. */
export function applied(state, { type, data }) {
  if (!isObject(data)) return state;
  const id = text(data.sessionId);
  switch (type) {
    case "agent_state_snapshot":
      return {
        ...listed(state, data),
        messages: bySession(data.conversations, messages),
        prompts: bySession(data.prompts, prompt),
        subtasks: bySession(data.subtasks, objects),
        artifacts: bySession(data.artifacts, artifacts),
        logs: bySession(data.runtimeLogs, logs),
        work: bySession(data.executionStates, prompt),
      };
    case "agent_session_list":
      return listed(state, data);
    case "agent_conversation_update": {
      if (!id) return state;
      const grown = changed(state, "messages", id, messages([...(state.messages.get(id) ?? []), ...objects(data.append)]));
      return isObject(data.prompt) ? changed(grown, "prompts", id, data.prompt) : grown;
    }
    case "agent_subtask_update":
      return id ? changed(state, "subtasks", id, objects(data.items)) : state;
    case "agent_artifact_update":
      return id ? changed(state, "artifacts", id, artifacts([...(state.artifacts.get(id) ?? []), ...objects(data.append)])) : state;
    case "agent_runtime_log_update":
      return id ? changed(state, "logs", id, logs([...(state.logs.get(id) ?? []), ...objects(data.append)])) : state;
    case "agent_execution_update":
      return id ? changed(state, "work", id, prompt(data.state)) : state;
    default:
      return state;
  }
}
