/** Holds an AG-UI conversation (messages, the client's tools, shared state) and applies events to it. */
import { questionOf } from "../inbox/questions.js";
import { patched } from "./patch.js";

/** The one tool of this page: the assistant asks for a confirmation, the user answers yes or no. */
export const CONFIRM = {
  name: "confirm_action",
  description: "Ask the user to confirm an action before it is done. The result is yes or no.",
  parameters: {
    type: "object",
    properties: { action: { type: "string", description: "What would be done, in the user's language." } },
    required: ["action"],
  },
};

/** The shared state is a pad: the assistant changes it only if it exists. `added` are messages that wait for the run to
 * take them, `unread` the ids of those that it left. */
export const EMPTY = { messages: [], added: [], unread: [], state: { notes: [] }, questions: [], isRunning: false, isStopped: false, error: null };

const withMessage = (conversation, message) => ({ ...conversation, messages: [...conversation.messages, message] });

/** With one message changed; of others, nothing is copied. */
function changed(conversation, isWanted, change) {
  const at = conversation.messages.findLastIndex(isWanted);
  if (at < 0) return conversation;
  const messages = [...conversation.messages];
  messages[at] = { ...messages[at], ...change(messages[at]) };
  return { ...conversation, messages };
}

const bears = (callId) => (message) => message.toolCalls?.some((each) => each.id === callId);

function called(conversation, callId, change) {
  return changed(conversation, bears(callId), ({ toolCalls }) => ({
    toolCalls: toolCalls.map((each) => (each.id === callId ? { ...each, function: change(each.function) } : each)),
  }));
}

const without = (messages, ids) => messages.filter(({ id }) => !ids.includes(id));
const within = (messages, ids) => messages.filter(({ id }) => ids.includes(id));
const idsOf = (messages) => messages.map(({ id }) => id);

/** With a message that the user adds to the run, for its agent to take. */
export const withAdded = (conversation, message) => ({ ...conversation, added: [...conversation.added, message] });

/** Without a message that was refused, wherever it stands by now. */
export function withoutAdded(conversation, id) {
  const { messages, added, unread } = conversation;
  const left = unread.filter((each) => each === id);
  return { ...conversation, added: without(added, [id]), messages: without(messages, left), unread: unread.filter((each) => each !== id) };
}

/** When a run ends, what waits was not read, and stands where the history has it. */
const ended = (conversation) => ({
  ...conversation,
  isRunning: false,
  messages: [...conversation.messages, ...conversation.added],
  added: [],
  unread: [...conversation.unread, ...idsOf(conversation.added)],
});

/** What one more event of AG-UI makes of a conversation; `history` has the texts of messages that were added elsewhere. */
export function told(conversation, event, history = []) {
  switch (event.type) {
    case "RUN_STARTED": {
      const { messages, added, unread } = conversation; // seen again, it tells again what it left
      const kept = { messages: without(messages, unread), added: [...within(messages, unread), ...added], unread: [] };
      return { ...conversation, ...kept, isRunning: true, isStopped: false, error: null, questions: [] };
    }
    case "MESSAGES_SNAPSHOT":
      return {
        ...conversation,
        messages: withParts(conversation.messages, event.messages),
        added: without(conversation.added, idsOf(event.messages)),
      };
    case "STATE_SNAPSHOT":
      return { ...conversation, state: event.snapshot };
    case "STATE_DELTA":
      return { ...conversation, state: patched(conversation.state, event.delta) };
    case "TEXT_MESSAGE_START":
      if (conversation.messages.some(({ id }) => id === event.messageId)) return conversation; // a snapshot has its beginning
      return withMessage(conversation, { id: event.messageId, role: event.role ?? "assistant", content: "" });
    case "TEXT_MESSAGE_CONTENT":
      return changed(conversation, ({ id }) => id === event.messageId, ({ content }) => ({ content: (content ?? "") + event.delta }));
    case "TOOL_CALL_START": {
      const call = { id: event.toolCallId, type: "function", function: { name: event.toolCallName, arguments: "" } };
      const parent = event.parentMessageId;
      if (parent && conversation.messages.some(({ id }) => id === parent)) {
        return changed(conversation, ({ id }) => id === parent, ({ toolCalls = [] }) => ({ toolCalls: [...toolCalls, call] }));
      }
      return withMessage(conversation, { id: parent ?? event.toolCallId, role: "assistant", toolCalls: [call] });
    }
    case "TOOL_CALL_ARGS":
      return called(conversation, event.toolCallId, (call) => ({ ...call, arguments: call.arguments + event.delta }));
    case "TOOL_CALL_RESULT":
      return withMessage(conversation, {
        id: event.messageId,
        role: "tool",
        toolCallId: event.toolCallId,
        content: event.content,
      });
    case "CUSTOM":
      return noted(conversation, event, history);
    case "RUN_FINISHED":
      return { ...ended(conversation), questions: (event.outcome?.interrupts ?? []).map(questionOf) };
    case "RUN_ERROR":
      if (event.code === "RUN_CANCELED") return { ...ended(conversation), isStopped: true };
      return { ...ended(conversation), error: { code: event.code, message: event.message } };
    default:
      return conversation;
  }
}

/** What an event of the service's own makes of a conversation. */
function noted(conversation, { name, value }, history) {
  const { messages, added } = conversation;
  if (name === "yarrow.message-taken") {
    if (messages.some(({ id }) => id === value.id)) return conversation;
    const taken = { id: value.id, role: "user", content: value.content };
    return withMessage({ ...conversation, added: without(added, [value.id]) }, taken);
  }
  if (name !== "yarrow.messages-unread") return conversation;
  const elsewhere = without(within(history, value.ids), idsOf([...messages, ...added]));
  return { ...conversation, added: [...added, ...elsewhere], unread: idsOf(within(messages, value.ids)) };
}

/** A snapshot's messages, with the pictures that only this page or the history knows. */
export function withParts(known, messages) {
  const parts = new Map(known.filter(({ content }) => Array.isArray(content)).map(({ id, content }) => [id, content]));
  return messages.map((each) => (parts.has(each.id) ? { ...each, content: parts.get(each.id) } : each));
}

/** The history's messages as AG-UI has them. */
export const fromHistory = (messages) =>
  messages.map(({ id, role, content, attachments = [] }) => {
    if (!attachments.length) return { id, role, content };
    const pictures = attachments.map(({ mimeType, url }) => ({ type: "binary", mimeType, url }));
    return { id, role, content: [...(content ? [{ type: "text", text: content }] : []), ...pictures] };
  });

/** What the history and the snapshot of a run make together: the first has later runs, the second has the calls. */
export function joined(history, snapshot) {
  const has = new Set(snapshot.map(({ id }) => id));
  const last = history.findLastIndex(({ id }) => has.has(id));
  return last < 0 ? history : [...withParts(history, snapshot), ...history.slice(last + 1)];
}

export const resultOf = (messages, callId) => messages.find((each) => each.role === "tool" && each.toolCallId === callId);

/** The calls of this page's tool that wait for the user. */
export function asked({ messages, isRunning }) {
  if (isRunning) return [];
  const said = messages.findLastIndex((each) => each.role === "user" || (each.role === "assistant" && each.content && !each.toolCalls));
  const calls = messages.slice(said + 1).flatMap((each) => each.toolCalls ?? []);
  return calls.filter((each) => each.function.name === CONFIRM.name && !resultOf(messages, each.id));
}

/** The conversation before a message. */
export function before(messages, id) {
  const at = messages.findIndex((each) => each.id === id);
  return at < 0 ? messages : messages.slice(0, at);
}

/** The words of a user's message, whose content may have parts. */
export const wordsOf = ({ content }) =>
  typeof content === "string" ? content : (content ?? []).filter((each) => each.type === "text").map((each) => each.text).join("\n");
