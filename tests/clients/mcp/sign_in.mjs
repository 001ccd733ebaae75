// An MCP server of the official SDK that takes the tokens of `oidc-provider`, on one port of loopback:
// sign_in.mjs FOLDER SECONDS. FOLDER has the packages, access tokens last SECONDS. It prints its address.

import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, seconds] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const load = (name) => import(pathToFileURL(require.resolve(name)));

const { default: express } = await load("express");
const { createLocalJWKSet, jwtVerify } = await load("jose");
const { default: Provider } = await load("oidc-provider");
const { requireBearerAuth } = await load("@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js");
const { getOAuthProtectedResourceMetadataUrl } = await load("@modelcontextprotocol/sdk/server/auth/router.js");
const { InvalidTokenError } = await load("@modelcontextprotocol/sdk/server/auth/errors.js");
const { McpServer } = await load("@modelcontextprotocol/sdk/server/mcp.js");
const { StreamableHTTPServerTransport } = await load("@modelcontextprotocol/sdk/server/streamableHttp.js");

const listener = createServer();
await new Promise((ready) => listener.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${listener.address().port}`;
const resource = `${origin}/mcp`;

const provider = new Provider(origin, {
  scopes: ["offline_access", "read"],
  features: {
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({ scope: "read", audience: resource, accessTokenFormat: "jwt", accessTokenTTL: Number(seconds) }),
    },
  },
});

async function described(path) {
  return (await fetch(`${origin}${path}`)).json();
}

async function verifyAccessToken(token) {
  try {
    const keys = createLocalJWKSet(await described("/jwks"));
    const { payload } = await jwtVerify(token, keys, { issuer: origin, audience: resource });
    return { token, clientId: payload.client_id, scopes: payload.scope.split(" "), expiresAt: payload.exp, extra: { user: payload.sub } };
  } catch (error) {
    throw new InvalidTokenError(error.message);
  }
}

async function answer(request, response) {
  const server = new McpServer({ name: "accounts", version: "1.0.0" });
  server.registerTool("whoami", { description: "Say whose token this is." }, ({ authInfo }) => ({
    content: [{ type: "text", text: authInfo.extra.user }],
  }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on("close", () => server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
}

const app = express();
const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(new URL(resource));
listener.on("request", app);
app.use("/mcp", requireBearerAuth({ verifier: { verifyAccessToken }, requiredScopes: ["read"], resourceMetadataUrl }));
app.post("/mcp", express.json(), answer);
app.get("/.well-known/oauth-protected-resource/mcp", (_, response) => {
  response.json({ resource, authorization_servers: [origin], scopes_supported: ["read"] });
});
app.use(provider.callback());
console.log(origin);
