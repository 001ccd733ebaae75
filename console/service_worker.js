/**
 * Shows what the service pushes to this browser, unless a page shows that already, and opens what one clicks.
 * The words are what the page last kept of its language: a worker runs without a page.
 */
const KEPT = "yarrow.notifications";
const WORDS = new URL("words", registration.scope).href; // where the page keeps them
const ANSWER = 1_000; // milliseconds that a page has to say what it shows

const pages = () => clients.matchAll({ type: "window", includeUncontrolled: true });

/** Where a page shows a message's run or question. */
const addressOf = ({ type, agent, threadId, runId }) =>
  `#/${[agent === "divination" && type !== "interrupt.opened" ? "reading" : "talk", threadId, runId].map(encodeURIComponent).join("/")}`;

/** Whether a page that is seen shows the session. */
async function isShown(threadId) {
  const seen = (await pages()).filter((page) => page.visibilityState === "visible");
  const answers = seen.map(
    (page) =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data === true);
        setTimeout(() => resolve(false), ANSWER);
        page.postMessage({ shows: threadId }, [port2]);
      }),
  );
  return (await Promise.all(answers)).includes(true);
}

async function words() {
  const kept = await caches.open(KEPT).then((cache) => cache.match(WORDS), () => undefined);
  return kept?.json() ?? { name: "Yarrow" };
}

async function show(message) {
  if (!message?.threadId || (await isShown(message.threadId))) return;
  const { name, lang, ...said } = await words();
  await registration.showNotification(message.question ?? said[message.type] ?? name, {
    body: message.answer ?? name,
    lang,
    tag: message.threadId, // a later one of the session replaces it
    icon: new URL("icon.svg", registration.scope).href,
    data: addressOf(message),
  });
}

async function open(address) {
  const base = new URL("..", registration.scope).href;
  const page = (await pages()).find((each) => each.url.startsWith(base) && !each.url.startsWith(registration.scope));
  if (!page) return clients.openWindow(base + address);
  page.postMessage({ open: address });
  return page.focus();
}

function read(data) {
  try {
    return data.json();
  } catch {
    return null;
  }
}

addEventListener("install", () => skipWaiting());
addEventListener("push", (event) => event.waitUntil(show(event.data && read(event.data))));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});
