// What the pages have in common: the settings they are opened with, and the tools that run in them.

export const settings = JSON.parse(decodeURIComponent(location.hash.slice(1)));
export const { thread, token, service } = settings;
export const url = `${service}/send-message${settings.query ?? ""}`;
export const isResumable = Boolean(settings.isResumable); // with our client in place of AG-UI's
export const headers = { Authorization: `Bearer ${token}` };

/** What the conversation begins with: the app's own greeting, or, after a reload, what the service keeps of it. */
export const past = settings.greeting
  ? [{ id: "greeting", role: "assistant", content: settings.greeting }]
  : settings.reloaded
    ? (await (await fetch(`${service}/api/v1/agent/history?threadId=${thread}`, { headers })).json()).messages
    : [];

/** Runs in the page at once. */
export const readTitle = {
  name: settings.tool ?? "read_title",
  description: "Read the title of the page",
  parameters: { type: "object", properties: { part: { type: "string" } } },
  run: ({ part }) => `the title of ${part ?? "the page"}`,
};

/** Waits for the user's yes or no. */
export const confirm = {
  name: "confirm",
  description: "Ask the user before doing something",
  parameters: { type: "object", properties: { action: { type: "string" } }, required: ["action"] },
};
export const YES = "yes, do it";
export const NO = "no, leave it";
