// TanStack AI's client with its AG-UI connection, in a page without a framework.

import { ChatClient, fetchServerSentEvents } from "@tanstack/ai-client";
import { toolDefinition } from "@tanstack/ai/client";
import { resumableFetch } from "../../../clients/js/yarrow.js";
import { confirm, headers, isResumable, NO, past, readTitle, thread, url, YES } from "./shared.js";

const definition = ({ name, description, parameters }) =>
  toolDefinition({ name, description, inputSchema: parameters });
const chat = new ChatClient({
  connection: fetchServerSentEvents(url, { headers, ...(isResumable && { fetchClient: resumableFetch() }) }),
  threadId: thread,
  tools: [definition(readTitle).client(), definition(confirm).client()],
  initialMessages: past.map(({ id, role, content }) => ({ id, role, parts: [{ type: "text", content }] })),
  onFinish: runTools,
  onMessagesChange: render,
  onInterruptStateChange: ({ interrupts }) => ask(interrupts),
  onLoadingChange: (running) => (document.body.dataset.running = String(running)),
  onErrorChange: (error) => (document.querySelector("[data-error]").textContent = error ? `${error}` : ""),
});

const root = document.getElementById("root");
root.innerHTML = `<ol></ol><div data-questions></div><output data-error></output>
<input aria-label="Message"><button id="send">Send</button><button id="stop">Stop</button>
<button id="again">Regenerate</button><button id="edit">Edit</button><input aria-label="Edited"><button id="save">Save</button>`;
document.body.dataset.running = "false";
const [message, edited] = root.querySelectorAll("input");
const click = (id, act) => document.getElementById(id).addEventListener("click", act);
click("send", () => chat.sendMessage(message.value));
click("stop", () => chat.stop());
click("again", () => chat.reload());
click("edit", () => edited.focus());
click("save", () => {
  const messages = chat.getMessages();
  chat.setMessagesManually(messages.slice(0, messages.findLastIndex(({ role }) => role === "user")));
  chat.sendMessage(edited.value);
});

/** The client runs tools by itself only for TanStack's own servers: here it is for the page, as for any AG-UI server. */
function runTools({ parts }) {
  for (const { type, id, name, arguments: given, output } of parts) {
    if (type !== "tool-call" || name !== readTitle.name || output !== undefined) continue;
    chat.addToolResult({ toolCallId: id, tool: name, output: readTitle.run(JSON.parse(given)) });
  }
}

function element(tag, members, ...children) {
  const made = Object.assign(document.createElement(tag), members);
  made.append(...children);
  return made;
}

/** The questions that the client can answer; others it only shows. */
function ask(interrupts) {
  const answers = (one) => [
    ["Approve", () => one.resolveInterrupt({ approved: true })],
    ["Refuse", () => one.resolveInterrupt({ approved: false })],
    ["Leave", () => one.cancel()],
  ];
  const shown = interrupts.map((one) => {
    const buttons = one.canResolve ? answers(one) : [];
    const section = element("section", {}, element("p", { textContent: one.message }));
    section.dataset.question = "";
    section.append(...buttons.map(([textContent, onclick]) => element("button", { textContent, onclick })));
    return section;
  });
  root.querySelector("[data-questions]").replaceChildren(...shown);
}

function render(messages) {
  root.querySelector("ol").replaceChildren(
    ...messages.map(({ role, parts }) => {
      const text = parts.filter(({ type }) => type === "text").map(({ content }) => content);
      const line = element("li", {}, element("span", { textContent: text.join("") }));
      line.dataset.role = role;
      line.firstChild.dataset.text = "";
      for (const part of parts) {
        if (part.type !== "tool-call") continue;
        line.append(element("p", { textContent: `${part.name} ${part.arguments} ${JSON.stringify(part.output) ?? ""}` }));
        if (part.name !== confirm.name || part.output !== undefined || part.state !== "input-complete") continue;
        const answer = (output) => () => chat.addToolResult({ toolCallId: part.id, tool: part.name, output });
        line.append(element("button", { textContent: "Yes", onclick: answer(YES) }));
        line.append(element("button", { textContent: "No", onclick: answer(NO) }));
      }
      return line;
    }),
  );
}

render(chat.getMessages());
