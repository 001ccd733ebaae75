// CopilotKit's provider and hooks, against its runtime (in `driver.mjs`).

import {
  CopilotKit,
  useCoAgent,
  useCopilotAction,
  useCopilotChatInternal,
  useFrontendTool,
} from "@copilotkit/react-core";
import { useInterrupt } from "@copilotkit/react-core/v2";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { confirm, headers, isResumable, NO, readTitle, settings, thread, YES } from "./shared.js";

function Page() {
  const [text, setText] = useState("");
  const [edited, setEdited] = useState("");
  const { messages, sendMessage, setMessages, stopGeneration, reloadMessages, isLoading } = useCopilotChatInternal();
  const { state, setState } = useCoAgent({ name: "default", initialState: settings.state });
  useFrontendTool({
    name: readTitle.name,
    description: readTitle.description,
    parameters: [{ name: "part", type: "string", required: false }],
    handler: readTitle.run,
  });
  useCopilotAction({
    name: confirm.name,
    description: confirm.description,
    parameters: [{ name: "action", type: "string", required: true }],
    renderAndWaitForResponse: ({ args, status, respond, result }) => (
      <p>
        confirm {JSON.stringify(args)} {result}
        {status === "executing" && <button onClick={() => respond(YES)}>Yes</button>}
        {status === "executing" && <button onClick={() => respond(NO)}>No</button>}
      </p>
    ),
  });
  const question = useInterrupt({
    agentId: isResumable ? "resumable" : "default",
    renderInChat: false,
    render: ({ interrupt, resolve, cancel }) => (
      <section data-question="">
        <p>{interrupt.message}</p>
        <button onClick={() => resolve({ approved: true })}>Approve</button>
        <button onClick={() => resolve({ approved: false })}>Refuse</button>
        <button onClick={() => cancel()}>Leave</button>
      </section>
    ),
  });
  const send = (content) => sendMessage({ id: crypto.randomUUID(), role: "user", content });
  const save = () => {
    const kept = messages.slice(0, messages.findLastIndex(({ role }) => role === "user"));
    setMessages(kept.map(({ generativeUI, ...message }) => message));
    send(edited);
  };
  return (
    <main data-running={isLoading}>
      <ol>
        {messages.map(({ id, role, content, generativeUI }) => (
          <li key={id} data-role={role}>
            <span data-text="">{content}</span>
            {generativeUI?.()}
          </li>
        ))}
      </ol>
      {question}
      <output data-state="">{JSON.stringify(state ?? null)}</output>
      <button onClick={() => setState({ ...state, colour: "green" })}>Green</button>
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button onClick={() => send(text)}>Send</button>
      <button onClick={() => stopGeneration()}>Stop</button>
      <button onClick={() => reloadMessages(messages.findLast(({ role }) => role === "assistant").id)}>Regenerate</button>
      <button>Edit</button>
      <input aria-label="Edited" value={edited} onChange={(event) => setEdited(event.target.value)} />
      <button onClick={save}>Save</button>
    </main>
  );
}

createRoot(document.getElementById("root")).render(
  <CopilotKit
    runtimeUrl="/api/copilotkit"
    agent={isResumable ? "resumable" : "default"}
    threadId={thread}
    headers={headers}
    properties={settings.properties}
    showDevConsole={false}
    enableInspector={false}
  >
    <Page />
  </CopilotKit>,
);
