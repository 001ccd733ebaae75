// assistant-ui's primitives on its AG-UI runtime.

import { HttpAgent } from "agui-0.0.59";
import { YarrowAgent } from "../../../clients/js/yarrow-agent.js";
import {
  ActionBarPrimitive,
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useAssistantTool,
  useAuiState,
} from "@assistant-ui/react";
import { useAgUiInterrupts, useAgUiRuntime, useAgUiSubmitInterruptResponses } from "@assistant-ui/react-ag-ui";
import { useEffect, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { confirm, headers, isResumable, NO, past, readTitle, thread, url, YES } from "./shared.js";

const title = {
  toolName: readTitle.name,
  type: "frontend",
  description: readTitle.description,
  parameters: readTitle.parameters,
  execute: async (given) => readTitle.run(given),
  render: ({ argsText, result }) => <p>{`${readTitle.name} ${argsText} ${result ?? ""}`}</p>,
};
const ask = {
  toolName: confirm.name,
  type: "human",
  description: confirm.description,
  parameters: confirm.parameters,
  render: ({ argsText, result, addResult }) => (
    <p>
      confirm {argsText} {result}
      {result === undefined && <button onClick={() => addResult(YES)}>Yes</button>}
      {result === undefined && <button onClick={() => addResult(NO)}>No</button>}
    </p>
  ),
};
const Text = ({ text }) => <span>{text}</span>;

const UserMessage = () => (
  <MessagePrimitive.Root data-role="user">
    <span data-text="">
      <MessagePrimitive.Parts components={{ Text }} />
    </span>
    <ActionBarPrimitive.Edit>Edit</ActionBarPrimitive.Edit>
  </MessagePrimitive.Root>
);
const EditComposer = () => (
  <ComposerPrimitive.Root>
    <ComposerPrimitive.Input aria-label="Edited" />
    <ComposerPrimitive.Send>Save</ComposerPrimitive.Send>
  </ComposerPrimitive.Root>
);
const AssistantMessage = () => (
  <MessagePrimitive.Root data-role="assistant">
    <span data-text="">
      <MessagePrimitive.Parts components={{ Text, tools: { Fallback: () => null } }} />
    </span>
    <ActionBarPrimitive.Reload>Regenerate</ActionBarPrimitive.Reload>
  </MessagePrimitive.Root>
);

function Questions() {
  const interrupts = useAgUiInterrupts();
  const submit = useAgUiSubmitInterruptResponses();
  const answer = (given) => submit(interrupts.map(({ id }) => ({ interruptId: id, ...given })));
  const resolve = (approved) => answer({ status: "resolved", payload: { approved } });
  return interrupts.map(({ id, message }) => (
    <section data-question="" key={id}>
      <p>{message}</p>
      <button onClick={() => resolve(true)}>Approve</button>
      <button onClick={() => resolve(false)}>Refuse</button>
      <button onClick={() => answer({ status: "cancelled" })}>Leave</button>
    </section>
  ));
}

function Thread() {
  useAssistantTool(title);
  useAssistantTool(ask);
  const running = useAuiState(({ thread }) => thread.isRunning);
  return (
    <ThreadPrimitive.Root data-running={running}>
      <ThreadPrimitive.Messages components={{ UserMessage, EditComposer, AssistantMessage }} />
      <ComposerPrimitive.Root>
        <ComposerPrimitive.Input aria-label="Message" />
        <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        <ComposerPrimitive.Cancel>Stop</ComposerPrimitive.Cancel>
      </ComposerPrimitive.Root>
    </ThreadPrimitive.Root>
  );
}

function Page() {
  const [error, setError] = useState("");
  const agent = useMemo(() => new (isResumable ? YarrowAgent : HttpAgent)({ url, headers, threadId: thread }), []);
  const runtime = useAgUiRuntime({ agent, onError: (failure) => setError(`${failure}`) });
  useEffect(() => {
    if (past.length) runtime.thread.reset(past.map(({ id, role, content }) => ({ id, role, content })));
  }, []);
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Thread />
      <Questions />
      <output data-error="">{error}</output>
    </AssistantRuntimeProvider>
  );
}

createRoot(document.getElementById("root")).render(<Page />);
