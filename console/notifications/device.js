/** This browser as a device that the service notifies: turned on by its user, refreshed at each start, turned off. */
import { useEffect, useState } from "../dom.js";
import { place } from "../router.js";
import { currentLanguage, t } from "../words.js";

const PATH = "/api/v1/devices";
const KEPT = "yarrow.notifications";
const EVENTS = ["run.completed", "run.failed", "interrupt.opened"];

const listeners = new Set();
let error = null;

function publish(caught = null) {
  error = caught;
  for (const listener of listeners) listener();
}

/** Whether this browser can be notified, and has not been told never to ask. */
export const canNotify = (config) =>
  Boolean(config.notifications) &&
  "serviceWorker" in navigator &&
  "PushManager" in globalThis &&
  globalThis.Notification?.permission !== "denied";

const deviceId = () => localStorage.getItem(KEPT);

/** The worker is always at the same address: a version of the page that is gone must not take it along. */
const WORKER = new URL("console/service_worker.js", document.baseURI).href;
const WORDS = new URL("console/words", document.baseURI).href;
const policy = globalThis.trustedTypes?.createPolicy("service-worker", { createScriptURL: () => WORKER });
let registered = null;

function registration() {
  registered ??= navigator.serviceWorker.register(policy?.createScriptURL("") ?? WORKER).catch((caught) => {
    registered = null;
    throw caught;
  });
  return registered;
}

/** Keep the words of notifications for the worker. */
async function keepWords() {
  const said = Object.fromEntries(EVENTS.map((type) => [type, t(`notify.${type}`)]));
  const words = { name: t("name"), lang: currentLanguage(), ...said };
  const cache = await caches.open(KEPT);
  await cache.put(WORDS, new Response(JSON.stringify(words), { headers: { "Content-Type": "application/json" } }));
}

async function subscribe(api) {
  const { web } = await (await api.request(PATH)).json();
  const { pushManager } = await registration();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: web.applicationServerKey });
}

/** The worker knows whether a page shows the run; the service would take one for shown that was closed. */
async function register(api, subscription) {
  const json = { kind: "web", subscription: subscription.toJSON(), whileWatched: true, name: navigator.platform.slice(0, 100) };
  const device = await (await api.request(PATH, { method: "POST", json })).json();
  localStorage.setItem(KEPT, device.id);
}

/** Ask for the permission, which a click alone may do, and register this browser. */
export async function turnOn(api) {
  try {
    if ((await Notification.requestPermission()) !== "granted") return publish();
    await keepWords();
    const subscription = await subscribe(api);
    try {
      await register(api, subscription);
    } catch (caught) {
      if (caught.code !== "DEVICE_OF_OTHER_USER") throw caught;
      await subscription.unsubscribe(); // another one has another address
      await register(api, await subscribe(api));
    }
    publish();
  } catch (caught) {
    publish(caught);
  }
}

/** Have the browser and the service forget each other: either alone ends the notifications. */
export async function turnOff(api) {
  const id = deviceId();
  if (!id) return;
  try {
    const subscription = await (await registration()).pushManager.getSubscription();
    await subscription?.unsubscribe();
    localStorage.removeItem(KEPT);
    await api.request(`${PATH}/${encodeURIComponent(id)}`, { method: "DELETE" });
    publish();
  } catch (caught) {
    publish(caught);
  }
}

/** Register a browser that is on anew: its subscription may have changed, and a device is forgotten after a while. */
async function refresh(api) {
  if (!deviceId()) return;
  const subscription = Notification.permission === "granted" && (await (await registration()).pushManager.getSubscription());
  if (!subscription) {
    localStorage.removeItem(KEPT); // the browser or its user has ended it
    return publish();
  }
  await keepWords();
  await register(api, subscription);
}

/** What a page does for the worker: it says what it shows, and opens what was clicked. */
function answerWorker({ data, ports }) {
  if (data.shows) ports[0].postMessage(document.visibilityState === "visible" && place().parts[0] === data.shows);
  if (data.open) location.hash = data.open;
}

/** Keep this browser registered while the page is open. */
export function useDevice(api, config, language) {
  useEffect(() => {
    if (!canNotify(config)) return undefined;
    refresh(api).catch(() => {}); // the next start tries again
    navigator.serviceWorker.addEventListener("message", answerWorker);
    navigator.serviceWorker.startMessages();
    return () => navigator.serviceWorker.removeEventListener("message", answerWorker);
  }, [api]);
  useEffect(() => {
    if (canNotify(config) && deviceId()) keepWords().catch(() => {}); // they stay in the last language
  }, [language]);
}

/** Whether this browser is notified, and what went wrong. */
export function useIsOn() {
  const [state, set] = useState({ isOn: Boolean(deviceId()), error });
  useEffect(() => {
    const changed = () => set({ isOn: Boolean(deviceId()), error });
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, []);
  return state;
}
