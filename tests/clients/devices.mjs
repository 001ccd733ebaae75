// A browser and an app with `clients/js/yarrow.js`: what happens to their devices as two users sign in after one another.
// `url` and `tokens` are JSON on standard input, what came back on standard output. The browser's push manager is that of
// the local stack's push service.

import { text } from "node:stream/consumers";
import { Yarrow } from "../../clients/js/yarrow.js";

const { url, tokens, app } = JSON.parse(await text(process.stdin));
const [alice, bob] = tokens.map((token) => new Yarrow({ url, token: () => token }));

let subscription = null;
const keys = [];
const pushManager = {
  getSubscription: async () => subscription,
  subscribe: async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly) throw new Error("NotAllowedError");
    keys.push(applicationServerKey);
    const made = await (await fetch(`${url}/local/push-subscriptions`, { method: "POST" })).json();
    subscription = {
      toJSON: () => made,
      unsubscribe: async () => {
        subscription = null;
        return (await fetch(made.endpoint, { method: "DELETE" })).ok;
      },
    };
    return subscription;
  },
};

const ids = async (yarrow) => (await yarrow.listDevices()).devices.map(({ id }) => id);
const first = await alice.registerBrowser({ pushManager }, { name: "desk", include: ["answer"] });
const again = await alice.registerBrowser({ pushManager });
const other = await bob.registerBrowser({ pushManager });
const phone = await alice.registerDevice({ kind: "apns", token: app, name: "phone" });
const before = [await ids(alice), await ids(bob)];
const moved = await bob.registerDevice({ kind: "apns", token: app });
await bob.removeDevice(moved.id);
await bob.removeDevice(moved.id);
const refused = await alice.registerDevice({ kind: "pigeon" }).catch(({ status, code }) => ({ status, code }));
const without = new Yarrow({ url, fetch: async () => Response.json({ devices: [], kinds: [] }) });
const none = { getSubscription: async () => null };
const unsupported = await without.registerBrowser({ pushManager: none }).catch(({ code }) => code);
const after = [await ids(alice), await ids(bob)];
const { kinds } = await alice.listDevices();
process.stdout.write(JSON.stringify({ first, again, other, phone, moved, before, after, kinds, keys, refused, unsupported }));
