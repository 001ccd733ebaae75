// The front ends, as their users set them up: pages in Chromium, and CopilotKit's runtime in this Node process.
// `node driver.mjs <installed packages> <cache folder> <chromium> <base URL of the service>` prints its own base URL,
// then reads commands as JSON, one a line, and answers each with a line. `hands` lists the commands.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire, register } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const [installed, cache, chromium, service] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(installed, "package.json"));
process.env.COPILOTKIT_TELEMETRY_DISABLED = "true";
process.env.DO_NOT_TRACK = "1";
console.log = console.info = console.warn = console.error; // standard output carries the answers alone

// ---- What was asked of whom, by the page or by the runtime --------------------------------------------------------
let requests = [];
let complaints = [];
const fetched = globalThis.fetch;
globalThis.fetch = async (resource, options) => {
  const made = { by: "runtime", url: String(resource.url ?? resource), method: options?.method ?? "GET", status: null };
  requests.push(made);
  const response = await fetched(resource, options);
  made.status = response.status;
  return response;
};

// ---- Pages --------------------------------------------------------------------------------------------------------
const FRONT_ENDS = ["assistant-ui", "copilotkit", "tanstack"];

/** The folder of the bundles, made anew when a page or a version has changed. */
async function bundles() {
  const sources = FRONT_ENDS.map((name) => join(here, `${name}.jsx`));
  const clients = ["yarrow.js", "yarrow-agent.js"].map((name) => join(here, "../../../clients/js", name));
  const parts = [join(installed, "package.json"), join(here, "shared.js"), ...clients, ...sources];
  const hash = createHash("sha256");
  for (const part of parts) hash.update(readFileSync(part));
  const name = hash.digest("hex").slice(0, 16);
  const folder = join(cache, "bundles", name);
  if (existsSync(folder)) return folder;
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  await require("esbuild").build({
    entryPoints: sources,
    outdir: making,
    bundle: true,
    splitting: true,
    format: "esm",
    jsx: "automatic",
    nodePaths: [join(installed, "node_modules")],
    define: { "process.env.NODE_ENV": '"production"', "process.env": "{}" },
    loader: { ".woff": "dataurl", ".woff2": "dataurl", ".ttf": "dataurl" },
    logLevel: "error",
  });
  try {
    renameSync(making, folder);
  } catch {
    rmSync(making, { recursive: true }); // another process was faster
  }
  for (const each of readdirSync(dirname(folder))) {
    if (!each.startsWith(name)) rmSync(join(dirname(folder), each), { recursive: true, force: true });
  }
  return folder;
}

const html = (name) => `<!doctype html><meta charset="utf-8"><title>${name}</title>
<link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/${name}.js"></script>`;

const { CopilotRuntime } = require("@copilotkit/runtime/v2");
const { createCopilotNodeListener } = require("@copilotkit/runtime/v2/node");
const { HttpAgent } = require("agui-0.0.59");
register("../resolve.mjs", import.meta.url, {
  data: { "@ag-ui/client": require.resolve("agui-0.0.59"), rxjs: require.resolve("rxjs") },
});
const { YarrowAgent } = await import("../../../clients/js/yarrow-agent.js");
const resumable = new YarrowAgent({ url: `${service}/send-message` });
const runtime = new CopilotRuntime({ agents: { default: new HttpAgent({ url: `${service}/send-message` }), resumable } });
const copilot = createCopilotNodeListener({ runtime, basePath: "/api/copilotkit" });

const folder = await bundles();
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const name = pathname.slice(1);
  if (pathname.startsWith("/api/copilotkit")) return void copilot(request, response);
  const script = /^[\w.-]+\.(js|css)$/.test(name) && existsSync(join(folder, name));
  if (!script && !FRONT_ENDS.includes(name)) return void response.writeHead(404).end();
  const kind = script && name.endsWith(".js") ? "text/javascript" : script ? "text/css" : "text/html";
  response.writeHead(200, { "Content-Type": `${kind}; charset=utf-8` });
  response.end(script ? readFileSync(join(folder, name)) : html(name));
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const base = `http://localhost:${server.address().port}`;

const browser = await require("playwright-core").chromium.launch({
  executablePath: chromium,
  args: [
    ...["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
    ...["--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions"],
  ],
});
const context = await browser.newContext();
context.setDefaultTimeout(Number(process.env.FRONT_ENDS_TIMEOUT ?? 30_000));
const page = await context.newPage();
page.on("request", (request) => {
  if (!request.url().startsWith("data:")) {
    request.made = { by: "page", url: request.url(), method: request.method(), status: null };
    requests.push(request.made);
  }
});
page.on("response", (response) => {
  const { made } = response.request();
  if (made) made.status = response.status();
});
page.on("pageerror", (error) => complaints.push(String(error)));
page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
let shown; // the front end, and its settings

const show = async () => {
  const settings = encodeURIComponent(JSON.stringify({ service, ...shown.settings }));
  await page.goto(`${base}/${shown.front}#${settings}`);
  await button("Send").waitFor();
};

// ---- Commands -----------------------------------------------------------------------------------------------------
const button = (name) => page.getByRole("button", { name, exact: true });
const hands = {
  /** A front end from its start; `settings` are for the page. */
  async open({ front, settings }) {
    shown = { front, settings };
    resumable.url = `${settings.service ?? service}/send-message`;
    await page.goto("about:blank"); // in the same tab: another process for each takes as long as the scene
    [requests, complaints] = [[], []];
    await show();
  },
  async say({ text }) {
    await page.getByLabel("Message", { exact: true }).fill(text);
    await button("Send").click();
  },
  /** The last user message is edited, as it stands on the page. */
  async edit({ text }) {
    await button("Edit").last().click();
    await page.getByLabel("Edited", { exact: true }).fill(text);
    await button("Save").click();
  },
  async click({ name, nth = -1 }) {
    await (nth < 0 ? button(name).last() : button(name).nth(nth)).click();
  },
  /** Wait until a text stands on the page, in a message or beside them. */
  async sees({ text, times = 1 }) {
    await page.waitForFunction(([text, times]) => document.body.innerText.split(text).length > times, [text, times]);
  },
  /** Wait until nothing runs. */
  async settled() {
    await page.locator('[data-running="false"]').waitFor();
  },
  /** Wait until the page shows an error. */
  async failed() {
    await page.locator("[data-error]:not(:empty)").waitFor();
  },
  async transcript() {
    return page.$$eval("[data-role]", (each) =>
      each.map((one) => [one.dataset.role, one.querySelector("[data-text]")?.textContent ?? ""]),
    );
  },
  async text({ selector }) {
    return page.locator(selector).innerText();
  },
  /** The same page from the start. */
  async reload() {
    shown.settings.reloaded = true;
    await page.goto("about:blank");
    await show();
  },
  /** What the page complains of with one of these texts was to be expected. */
  async forgive({ texts }) {
    complaints = complaints.filter((each) => !texts.some((text) => each.includes(text)));
  },
  async log() {
    return { requests, complaints };
  },
};

process.stdout.write(`${JSON.stringify({ base })}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const { do: name, ...given } = JSON.parse(line);
  const answer = await hands[name](given).then(
    (value) => ({ value: value ?? null }),
    async (error) => ({ error: error.message, page: await page.innerText("body").catch(() => null), complaints }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
process.exit();
