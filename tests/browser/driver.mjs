// The console in Chromium. `node driver.mjs <installed packages> <chromium> <recording>` prints a line, then reads commands as JSON,
// one a line, and answers each with a line. `hands` lists the commands.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";

const [installed, chromium, speech] = process.argv.slice(2);
const require = createRequire(join(installed, "package.json"));
const LIMIT = 40_000; // milliseconds that a command waits for a page
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf-8");

const browser = await require("playwright-core").chromium.launch({
  executablePath: chromium,
  args: [
    ...["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
    ...["--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions"],
    // The microphone hears a recording, and nobody is asked.
    ...["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", `--use-file-for-fake-audio-capture=${speech}`],
  ],
});
let context;
let page;
let device = "first";
const devices = new Map();
const held = [];
let requests = [];
let complaints = [];
let socket;
let silenced;

const found = ({ role, name, selector, nth = 0 }) =>
  (selector ? page.locator(selector) : page.getByRole(role, name === undefined ? {} : { name, exact: true })).nth(nth);

/** Read again, once the page was drawn, until what is read is what one waits for; that. */
async function until(reading, isIt, expected) {
  const end = performance.now() + LIMIT;
  for (;;) {
    const read = await reading();
    if (isIt(read)) return read;
    if (performance.now() > end) throw new Error(`${JSON.stringify(read)} instead of ${JSON.stringify(expected)}`);
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  }
}

/** A page whose requests and complaints are noted. */
async function opened() {
  const made = await context.newPage();
  made.on("request", (request) => requests.push(request.url()));
  made.on("pageerror", (error) => complaints.push(String(error)));
  made.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  made.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  return made;
}

const hands = {
  /** A new user's browser at an address; `options` are Playwright's of a context. */
  async open({ url, options }) {
    devices.set(device, { context });
    for (const each of devices.values()) await each.context?.close();
    devices.clear();
    device = "first";
    [requests, complaints] = [[], []];
    context = await browser.newContext({ reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(LIMIT);
    page = await opened();
    await page.goto(url);
  },
  /** The browser of another device, at an address, which later commands are of; without an address, that of an earlier one,
   * `first` for the one that `open` made. */
  async context({ name, url, options }) {
    devices.set(device, { context, page });
    device = name;
    if (url) {
      context = await browser.newContext({ reducedMotion: "reduce", ...options });
      context.setDefaultTimeout(LIMIT);
      page = await opened();
      await page.goto(url);
    } else ({ context, page } = devices.get(name));
    await page.bringToFront();
  },
  async goto({ url }) {
    await page.goto(url);
  },
  async reload() {
    await page.reload();
  },
  async look({ theme, width = 1280, height = 800 }) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height });
  },
  async click(target) {
    await found(target).click();
  },
  /** Once it is shown: a dialog is there before it opens. */
  async press({ key, ...target }) {
    await found(target).waitFor();
    await found(target).press(key);
  },
  /** A key or a text for what has the focus. */
  async keyboard({ key, text }) {
    await (text === undefined ? page.keyboard.press(key) : page.keyboard.type(text));
  },
  /** What has the focus, and whether one sees that. */
  async focused() {
    return page.evaluate(() => {
      const one = document.activeElement;
      // A line of the plate shows it by the frame behind its row.
      const { outlineStyle, strokeWidth } = getComputedStyle(one.closest(".row")?.querySelector(".ground") ?? one);
      const label = one.labels?.[0]?.innerText ?? one.getAttribute("aria-label") ?? one.innerText ?? "";
      return { tag: one.localName, name: label.trim(), seen: outlineStyle !== "none" || strokeWidth === "2.5px" };
    });
  },
  async fill({ text, ...target }) {
    await found(target).fill(text);
  },
  async choose({ value, ...target }) {
    await found(target).selectOption(value);
  },
  async check(target) {
    await found(target).check();
  },
  /** Wait until it is shown with this text in it; all its text. */
  async sees({ text = "", ...target }) {
    await found(target).waitFor();
    return until(() => found(target).innerText(), (read) => read.includes(text), text);
  },
  /** Wait until a text stands on the page. */
  async reads({ text }) {
    await page.waitForFunction((text) => document.body.innerText.includes(text), text);
  },
  /** Wait until a field is filled; with what. */
  async filled({ selector }) {
    return (await page.waitForFunction((selector) => document.querySelector(selector).value, selector)).jsonValue();
  },
  /** Let the world go on: the microphone hears as fast as one speaks. */
  async passes({ seconds }) {
    await page.waitForTimeout(seconds * 1000);
  },
  async texts({ selector }) {
    return page.locator(selector).allInnerTexts();
  },
  async hash() {
    return new URL(page.url()).hash;
  },
  /** What a script of the page would find: an expression's value. */
  async value({ expression }) {
    return page.evaluate(expression);
  },
  /** Wait until what another command reads is this value. */
  async becomes({ command, expected, ...target }) {
    await until(() => hands[command](target), (read) => isDeepStrictEqual(read ?? null, expected), expected);
  },
  /** What axe-core finds by all its rules, or by some, in one line each; and whether something is wider than the page. */
  async faults({ rules }) {
    await page.evaluate(`window.axe ?? (() => { ${axe}; })()`);
    const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
    const { violations } = await page.evaluate(`axe.run({ exclude: ['datalist'] }, ${JSON.stringify(options)})`);
    const wide = await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
    const told = violations.flatMap(({ id, nodes }) => nodes.map((each) => `${id}: ${each.html} ${each.any[0]?.message ?? ""}`));
    return [...told, ...(wide ? ["wider than the page"] : [])];
  },
  /** The next request to a path is refused with this problem. */
  async refuse({ path, status, code, detail, params }) {
    const problem = { status, contentType: "application/problem+json", body: JSON.stringify({ status, code, detail, params }) };
    await page.route((url) => url.pathname === path, (route) => route.fulfill(problem), { times: 1 });
  },
  /** Requests to a path are answered with this document. */
  async answer({ path, document }) {
    await page.route((url) => url.pathname === path, (route) => route.fulfill({ json: document }));
  },
  /** Requests that ask for a parameter wait for `release`. */
  async hold({ parameter }) {
    await page.route((url) => url.searchParams.has(parameter), (route) => held.push(route));
  },
  async release() {
    await page.unrouteAll();
    await Promise.all(held.splice(0).map((each) => each.continue().catch(() => {}))); // some were given up
  },
  /** The next request to a path is answered with a stream of these events. */
  async stream({ path, events }) {
    const frames = events.map((event, index) => `id: ${index + 1}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const answer = { contentType: "text/event-stream", body: frames.join("") };
    await page.route((url) => url.pathname === path, (route) => route.fulfill(answer), { times: 1 });
  },
  /** The file that a click brings: its name, its size, and its text or, of a PNG, its width and height. */
  async download(target) {
    const [file] = await Promise.all([page.waitForEvent("download"), found(target).click()]);
    const content = readFileSync(await file.path());
    const isPicture = content.subarray(1, 4).toString() === "PNG";
    const told = isPicture ? { size: [content.readUInt32BE(16), content.readUInt32BE(20)] } : { text: content.toString() };
    return { name: file.suggestedFilename(), bytes: content.length, ...told };
  },
  /** Choose a file of this text in a field. */
  async give({ name, text, ...target }) {
    await found(target).setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  },
  /** Another tab of the same browser at this page's address, which later commands are of; `first` goes back to the first. */
  async tab({ first = false }) {
    const url = page.url();
    page = first ? context.pages()[0] : await opened();
    if (!first) await page.goto(url);
    await page.bringToFront();
  },
  /** Drop a file on an element. */
  async drop({ name, type, base64, ...target }) {
    const data = await page.evaluateHandle(
      ({ name, type, base64 }) => {
        const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
        const given = new DataTransfer();
        given.items.add(new File([bytes], name, { type }));
        return given;
      },
      { name, type, base64 },
    );
    await found(target).dispatchEvent("drop", { dataTransfer: data });
  },
  async offline({ is }) {
    await context.setOffline(is);
  },
  /** What the page and its files are, in bytes as they were sent. */
  async transferred() {
    const kinds = "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))";
    return page.evaluate(`${kinds}.reduce((sum, each) => sum + (each.transferSize ?? 0), 0)`);
  },
  /** The page's WebSockets from its next load on go through here: `say` puts frames on the latest, in the place of what the
   * server says from then on; `cut` breaks it. */
  async sockets() {
    await page.routeWebSocket(/\/workspace\?/, (line) => {
      const server = line.connectToServer();
      server.onMessage((message) => line === silenced || line.send(message));
      socket = line;
    });
  },
  async say({ frames }) {
    silenced = socket;
    for (const frame of frames) socket.send(frame);
  },
  async cut() {
    await socket.close({ code: 4000 });
  },
  /** Let pages do what these permissions are for. */
  async grant({ permissions }) {
    await context.grantPermissions(permissions);
  },
  /** Have the pages run a script before their own, from their next load on. */
  async script({ source }) {
    await context.addInitScript(source);
  },
  /** Push a message to the worker of the page, as the browser's push service does. The session stays: its end may come before
   * the worker's. */
  async push({ message }) {
    const line = await context.newCDPSession(page);
    const found = new Promise((resolve) =>
      line.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => registrations[0] && resolve(registrations[0])),
    );
    await line.send("ServiceWorker.enable");
    const { registrationId } = await found;
    const { origin } = new URL(page.url());
    await line.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(message) });
  },
  /** Click the notification that the worker shows; the browser's own windows are out of reach, so the worker is handed the event. */
  async notification_click() {
    const [worker] = context.serviceWorkers();
    await worker.evaluate(async () => {
      const [notification] = await registration.getNotifications();
      dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    });
  },
  async picture({ path }) {
    await page.screenshot({ path, fullPage: true });
  },
  async log() {
    const said = { requests, complaints };
    [requests, complaints] = [[], []];
    return said;
  },
};

process.stdout.write("{}\n");
for await (const line of createInterface({ input: process.stdin })) {
  const { do: name, ...given } = JSON.parse(line);
  const answer = await hands[name](given).then(
    (value) => ({ value: value ?? null }),
    async (error) => ({ error: error.message, page: await page?.innerText("body").catch(() => null), complaints }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
process.exit();
