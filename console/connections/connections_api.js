/** Calls the routes of connections to MCP servers. */
const ALL = "/api/v1/mcp-connections";

export const listConnections = async (api, signal) => (await api.request(ALL, { signal })).json();

/** Return where the user signs in to a server of an agent. */
export async function beginSignIn(api, { agent, server }) {
  const { authorizationUrl } = await (await api.request(ALL, { method: "POST", json: { agent, server } })).json();
  const url = new URL(authorizationUrl);
  if (!["https:", "http:"].includes(url.protocol)) throw new Error("no address of a page");
  return url.href;
}

export const finishSignIn = async (api, returned) =>
  (await api.request(`${ALL}/finish`, { method: "POST", json: returned })).json();

export const removeConnection = (api, id) => api.request(`${ALL}/${encodeURIComponent(id)}`, { method: "DELETE" });
