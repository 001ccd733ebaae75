/**
 * A client of Yarrow: submit a run, and read its events to the end whatever the network does.
 *
 * An event's number in its run is its SSE `id`; after a drop the stream goes on behind the last one that came, so that
 * none is lost or repeated. One file without dependencies, for browsers and Node; see `docs/clients.md`.
 *
 * @typedef {import("./api.d.ts").Api} Api
 * @typedef {{ id: number, event: Api["Event"] }} NumberedEvent  With the number to go on after.
 * @typedef {object} Service
 * @property {string} url  Where the API is, without a slash at the end.
 * @property {(refused?: string) => string | Promise<string>} [token]  The bearer token; a new one for the refused.
 * @property {Record<string, string>} [headers]  Sent with every request.
 * @property {typeof globalThis.fetch} [fetch]  Used in place of `fetch`. Where responses have no `body` to read as it
 *   comes, as in React Native, events are polled.
 * @typedef {{ id?: string, event?: string, data?: string, retry?: number }} Frame
 * @typedef {object} Watching
 * @property {number} [after]  The number of the last event known; 0 for all of them.
 * @property {"agui" | "snapshot"} [profile]  To have the events as AG-UI clients take them; "snapshot" begins with the
 *   conversation and state so far, whose events have one number.
 * @property {boolean} [times]  To have with each event its `timestamp`: when it was stored.
 * @property {(after: number) => void} [resumed]  Called when the events go on after a number over another connection.
 * @property {AbortSignal} [signal]  To stop. The run goes on: `cancel` ends it.
 */
export type Api = import("./api.d.ts").Api;
export type NumberedEvent = {
    id: number;
    event: Api["Event"];
};
export type Service = {
    /**
     * Where the API is, without a slash at the end.
     */
    url: string;
    /**
     * The bearer token; a new one for the refused.
     */
    token?: (refused?: string) => string | Promise<string>;
    /**
     * Sent with every request.
     */
    headers?: Record<string, string>;
    /**
     * Used in place of `fetch`. Where responses have no `body` to read as it
     * comes, as in React Native, events are polled.
     */
    fetch?: typeof globalThis.fetch;
};
export type Frame = {
    id?: string;
    event?: string;
    data?: string;
    retry?: number;
};
export type Watching = {
    /**
     * The number of the last event known; 0 for all of them.
     */
    after?: number;
    /**
     * To have the events as AG-UI clients take them; "snapshot" begins with the
     * conversation and state so far, whose events have one number.
     */
    profile?: "agui" | "snapshot";
    /**
     * To have with each event its `timestamp`: when it was stored.
     */
    times?: boolean;
    /**
     * Called when the events go on after a number over another connection.
     */
    resumed?: (after: number) => void;
    /**
     * To stop. The run goes on: `cancel` ends it.
     */
    signal?: AbortSignal;
};
/** The service refuses: `status` of HTTP, `code` of `docs/errors.md`, the whole problem as `payload`, `wait` in milliseconds. */
export declare class Refused extends Error {
    status: number;
    code: any;
    payload: Record<string, any>;
    wait: number;
    constructor(/** @type {Response} */ response: Response, /** @type {Record<string, any>} */ problem: Record<string, any>);
}
export declare class Dropped extends Error {
}
export declare class Yarrow {
    #private;
    service: Service;
    constructor(/** @type {Service} */ service: Service);
    /** Submit a run, whose input is the body of `POST /runs`, and yield its events; the same again joins the run.
     * @param {Api["RunAgentInput"]} input  @param {Watching & { agent?: string }} [options]  @returns {AsyncGenerator<NumberedEvent>} */
    run(input: Api["RunAgentInput"], { agent, ...watching }?: Watching & {
        agent?: string;
    }): AsyncGenerator<NumberedEvent>;
    /** The answer of `POST /runs`; sent again where it may have been lost, which makes no second run.
     * @param {Api["RunAgentInput"]} input  @param {{ agent?: string, signal?: AbortSignal }} [options]
     * @returns {Promise<Api["TaskAcceptedResponse"]>} */
    submit(input: Api["RunAgentInput"], { agent, signal }?: {
        agent?: string;
        signal?: AbortSignal;
    }): Promise<Api["TaskAcceptedResponse"]>;
    /** End a run. False if it had finished or failed before.
     * @param {string} threadId  @param {string} runId  @returns {Promise<boolean>} */
    cancel(threadId: string, runId: string): Promise<boolean>;
    /** Add a message to a run that goes on, whose agent takes it at its next step; the same again is one message. Refused
     * unless the agent takes messages: `humanInTheLoop.interventions` of its capabilities says so.
     * @param {string} threadId  @param {string} runId  @param {Api["RunMessage"]} message
     * @returns {Promise<Api["RunMessageAccepted"]>} */
    addMessage(threadId: string, runId: string, message: Api["RunMessage"]): Promise<Api["RunMessageAccepted"]>;
    /** The history of a session.
     * @param {string} threadId  @param {{ signal?: AbortSignal }} [options]  @returns {Promise<Api["Snapshot"]>} */
    history(threadId: string, { signal }?: {
        signal?: AbortSignal;
    }): Promise<Api["Snapshot"]>;
    /** The agents that the user may use, with labels in the language of `locale`, by default that of the user's token.
     * @param {{ locale?: string, signal?: AbortSignal }} [options]  @returns {Promise<Api["AgentList"]>} */
    agents({ locale, signal }?: {
        locale?: string;
        signal?: AbortSignal;
    }): Promise<Api["AgentList"]>;
    /** What the user's runs have used, by days such as `2026-11-27`; for operators, with `by: "user"`, of all users.
     * @param {{ from?: string, to?: string, by?: "user", after?: string, signal?: AbortSignal }} [options]
     * @returns {Promise<Api["Usage"]>} */
    usage({ signal, ...query }?: {
        from?: string;
        to?: string;
        by?: "user";
        after?: string;
        signal?: AbortSignal;
    }): Promise<Api["Usage"]>;
    /** What an agent can do, as AG-UI describes it; by default the agent of `/send-message`. It is asked once: pages wait for it.
     * @param {string} [agent]  @param {{ signal?: AbortSignal }} [options]  @returns {Promise<Api["AgentCapabilities"]>} */
    capabilities(agent?: string, { signal }?: {
        signal?: AbortSignal;
    }): Promise<Api["AgentCapabilities"]>;
    /** The open questions of the user's runs, newest first; `after` is the `next` of the page before.
     * @param {{ limit?: number, after?: string, signal?: AbortSignal }} [options]  @returns {Promise<Api["InterruptList"]>} */
    interrupts({ limit, after, signal }?: {
        limit?: number;
        after?: string;
        signal?: AbortSignal;
    }): Promise<Api["InterruptList"]>;
    /** Answer a question: `{ status: "resolved", payload }` or `{ status: "cancelled" }`. The first answer counts; the same one
     * again gets the same run, which goes on.
     * @param {string} id  @param {Api["InterruptAnswer"]} answer  @returns {Promise<Api["TaskAcceptedResponse"]>} */
    answer(id: string, answer: Api["InterruptAnswer"]): Promise<Api["TaskAcceptedResponse"]>;
    /** Record how a reading turned out: that of `runId`, by default the latest of the session. It replaces an earlier outcome.
     * @param {string} threadId  @param {Api["OutcomeRequest"]} outcome  @returns {Promise<Api["SessionOutcome"]>} */
    recordOutcome(threadId: string, outcome: Api["OutcomeRequest"]): Promise<Api["SessionOutcome"]>;
    /** Register a device for notifications, or the same one again: at each start of an app, and when another user signs in.
     * @param {Api["DeviceFields"]} device  @param {{ signal?: AbortSignal }} [options]  @returns {Promise<Api["Device"]>} */
    registerDevice(device: Api["DeviceFields"], { signal }?: {
        signal?: AbortSignal;
    }): Promise<Api["Device"]>;
    /** The user's devices, the kinds that the deployment notifies, and in `web` what a browser needs to subscribe.
     * @param {{ signal?: AbortSignal }} [options]  @returns {Promise<Api["DeviceList"]>} */
    listDevices({ signal }?: {
        signal?: AbortSignal;
    }): Promise<Api["DeviceList"]>;
    /** Have a device get no notifications any more, if it is the user's.
     * @param {string} id  @param {{ signal?: AbortSignal }} [options]  @returns {Promise<void>} */
    removeDevice(id: string, { signal }?: {
        signal?: AbortSignal;
    }): Promise<void>;
    /** Register this browser for notifications, which the service worker of `registration` shows. It subscribes once; called
     * again, at each start of the page, it refreshes the device. The browser asks its user the first time: call it by a click.
     * @param {ServiceWorkerRegistration} registration  @param {Partial<Api["WebDeviceFields"]>} [device]
     * @returns {Promise<Api["Device"]>}  Throws `Refused` with the code `DEVICE_KIND_UNSUPPORTED` where browsers get none. */
    registerBrowser({ pushManager }: ServiceWorkerRegistration, device?: Partial<Api["WebDeviceFields"]>): Promise<Api["Device"]>;
    /** Send an AG-UI `RunAgentInput` to `/send-message`, and yield the run's events as AG-UI has them. Where the stream breaks
     * off, they are read on as `watch` reads them. `session` is called with the id under which the service keeps the thread.
     * @param {{ threadId: string, runId: string, [member: string]: any }} input
     * @param {{ agent?: string, signal?: AbortSignal, session?: (threadId: string) => void }} [options]
     * @returns {AsyncGenerator<NumberedEvent["event"]>} */
    converse(input: {
        threadId: string;
        runId: string;
        [member: string]: any;
    }, { agent, signal, session }?: {
        agent?: string;
        signal?: AbortSignal;
        session?: (threadId: string) => void;
    }): AsyncGenerator<NumberedEvent["event"]>;
    /** Yield the events of a run, to the one that ends it. Throws `Refused`, `Dropped` after many failures in a row.
     * @param {string} threadId  @param {string} runId  @param {Watching} [options]  @returns {AsyncGenerator<NumberedEvent>} */
    watch(threadId: string, runId: string, options?: Watching): AsyncGenerator<NumberedEvent>;
}
/** A `fetch` for AG-UI clients that take one, such as TanStack AI's `fetchClient`: the stream of `/send-message` goes on through
 * lost connections. To abort it leaves the run alone.
 * @param {Omit<Service, "url">} [service]  @returns {typeof globalThis.fetch} */
export declare const resumableFetch: (service?: Omit<Service, "url">) => typeof globalThis.fetch;
/** The frames of a stream by their fields, of which a comment has none; one that nothing ends is dropped.
 * @param {Response} response  @param {AbortSignal} [signal]  @returns {AsyncGenerator<Frame>} */
export declare function frames(response: Response, signal?: AbortSignal): AsyncGenerator<Frame>;
