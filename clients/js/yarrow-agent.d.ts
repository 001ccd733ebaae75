/**
 * An AG-UI agent for front ends that take an `HttpAgent`: a lost connection is not noticed by the application, a thread
 * can be joined, and an aborted run is cancelled. See `README.md`.
 */
import { HttpAgent } from "@ag-ui/client";
export type RunAgentInput = import("@ag-ui/client").RunAgentInput;
export type BaseEvent = import("@ag-ui/client").BaseEvent;
export type EventStream = ReturnType<HttpAgent["run"]>;
export type Run = {
    threadId: string;
    runId: string;
};
export type Kept = Pick<Storage, "getItem" | "setItem">;
export type YarrowAgentConfig = import("@ag-ui/client").HttpAgentConfig & {
    token?: (refused?: string) => string | Promise<string>;
    storage?: Kept;
    fetch?: typeof globalThis.fetch;
};
export declare class YarrowAgent extends HttpAgent {
    service: {
        token: ((refused?: string) => string | Promise<string>) | undefined;
        fetch: typeof globalThis.fetch | undefined;
    };
    storage: Kept;
    joining: string | undefined;
    constructor(/** @type {YarrowAgentConfig} */ { token, storage, ...config }: YarrowAgentConfig);
    /** @returns {YarrowAgent} */
    clone(): YarrowAgent;
    /** The run's events. Who unsubscribes, as `detachActiveRun` does, leaves the run alone; `abortRun` cancels it.
     * @param {RunAgentInput} input  @returns {EventStream} */
    run(input: RunAgentInput): EventStream;
    /** What the agent can do; unknown without credentials, as CopilotKit's runtime asks before anybody has signed in.
     * @returns {Promise<import("@ag-ui/client").AgentCapabilities>} */
    getCapabilities(): Promise<import("@ag-ui/client").AgentCapabilities>;
    /** @param {RunAgentInput} input  @returns {EventStream} */
    connect(input: RunAgentInput): EventStream;
}
