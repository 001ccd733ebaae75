// What an application in TypeScript writes: a run with a user's message, and Yarrow's agent where AG-UI's is expected.
import { HttpAgent } from "@ag-ui/client";
import { Yarrow, type Api } from "yarrow-client";
import { YarrowAgent } from "yarrow-client/agent";

type Input = Api["RunAgentInput"];

const input: Input = {
  threadId: "5f7c1f39-4b64-4a51-8a2e-111111111111",
  runId: "run-1",
  messages: [
    {
      id: "message-1",
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "binary", mimeType: "image/png", url: "https://example.com/picture.png" },
      ],
    },
  ],
  forwardedProps: { runtime_mode: "chat" },
};

export async function answerOf(yarrow: Yarrow): Promise<string> {
  let answer = "";
  for await (const { event } of yarrow.run(input)) {
    if (event.type === "TEXT_MESSAGE_CONTENT") answer += event.delta;
  }
  return answer;
}

// @ts-expect-error A run begins with the user's message.
export const withoutMessage: Input["messages"] = [];

export function agentOf(url: string): HttpAgent {
  const agent: HttpAgent = new YarrowAgent({ url, token: () => "token" });
  const { threadId, runId } = input;
  agent.run({ threadId, runId, messages: [], tools: [], context: [], state: {} }).subscribe({ next: (event) => console.log(event.type) });
  return agent;
}

