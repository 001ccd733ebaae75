// A chat with an agent: streamed, resumed after a lost connection or a reload, stopped, and read back.

import { Refused, Yarrow } from "yarrow-client";

const AGENT = new URLSearchParams(location.search).get("agent") ?? "assistant";

const messages = document.querySelector("#messages");
const composer = document.querySelector("#composer");
const words = document.querySelector("#words");
const send = document.querySelector("#send");
const stop = document.querySelector("#stop");
const status = document.querySelector("#status");

// 1. Who is asking. The page's own server knows: here `serve.py`, which has a token of the local stack.
const signIn = async () => (await fetch("/token")).json();
let { api, token } = await signIn();
const yarrow = new Yarrow({
  url: api,
  token: async (refused) => {
    if (refused === token) ({ token } = await signIn());
    return token;
  },
});

// 2. What a reload must find again: the conversation, and the run that may still be going on.
const earlier = localStorage.getItem("thread");
const threadId = earlier ?? crypto.randomUUID();
let runId = localStorage.getItem("run");

// 3. Each event changes the page. Events come once and in order, so nothing has to be checked for.
const shown = new Map();

function show(id, kind, text = "") {
  const paragraph = shown.get(id) ?? messages.appendChild(document.createElement("p"));
  paragraph.className = kind;
  paragraph.textContent = text; // never innerHTML: a model's words are a stranger's
  shown.set(id, paragraph);
}

const changes = {
  TEXT_MESSAGE_START: ({ messageId }) => show(messageId, "assistant"),
  TEXT_MESSAGE_CONTENT: ({ messageId, delta }) => shown.get(messageId).append(delta),
  TOOL_CALL_START: ({ toolCallId, toolCallName }) => show(toolCallId, "tool", `${toolCallName} …`),
  TOOL_CALL_RESULT: ({ toolCallId }) => shown.get(toolCallId)?.append(" done"),
  RUN_ERROR: ({ message }) => (status.textContent = message),
};

async function follow(events) {
  setBusy(true);
  try {
    for await (const { event } of events) {
      changes[event.type]?.(event);
      messages.scrollTop = messages.scrollHeight;
    }
  } catch (error) {
    status.textContent = error instanceof Refused ? error.payload.detail : "The service cannot be reached. Reload to go on.";
    if (!(error instanceof Refused)) return; // the run may be going on: a reload finds it
  } finally {
    setBusy(false);
  }
  localStorage.removeItem("run");
}

function setBusy(busy) {
  [send.hidden, stop.hidden] = [busy, !busy];
  if (busy) status.textContent = "";
}

// 4. Asking. The client submits again where an answer was lost, which makes no second run.
composer.addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  const content = words.value.trim();
  if (!content || send.hidden) return;
  words.value = "";
  runId = crypto.randomUUID();
  localStorage.setItem("thread", threadId);
  localStorage.setItem("run", runId);
  const message = { id: `user-${runId}`, role: "user", content };
  show(message.id, "user", content);
  const input = { threadId, runId, messages: [message], forwardedProps: { runtime_mode: "chat" } };
  await follow(yarrow.run(input, { agent: AGENT }));
});

words.addEventListener("keydown", (key) => {
  if (key.key !== "Enter" || key.shiftKey || key.isComposing) return;
  key.preventDefault();
  composer.requestSubmit();
});

// 5. Stopping. The events end with RUN_ERROR, whose message says so.
stop.addEventListener("click", () => yarrow.cancel(threadId, runId));

document.querySelector("#new").addEventListener("click", () => {
  localStorage.removeItem("thread");
  localStorage.removeItem("run");
  location.reload();
});

// 6. After a reload: what was said, then the rest of the run that was going on. Only then somebody may ask again.
if (earlier !== null) {
  try {
    const { messages: said } = await yarrow.history(threadId);
    for (const { id, role, content } of said) show(id, role, content);
  } catch (error) {
    status.textContent = error instanceof Refused ? error.payload.detail : "The history cannot be read.";
  }
}
words.disabled = send.disabled = false;
if (runId !== null) await follow(yarrow.watch(threadId, runId));
