// Many runs with `clients/js/yarrow.js`, some at once, each by its own user: `tasks` is JSON on standard input, what was
// told of each on standard output. `hurry` is `hurry.mjs`'s.

import { text } from "node:stream/consumers";
import { Yarrow } from "../../clients/js/yarrow.js";
import { hurry } from "./hurry.mjs";

const { url, agent, tasks, atOnce, hurry: by } = JSON.parse(await text(process.stdin));
hurry(by);

const told = tasks.map(() => []);
const left = tasks.entries(); // shared: each worker takes the next
const work = async () => {
  for (const [at, { token, input }] of left) {
    const yarrow = new Yarrow({ url, token: () => token });
    for await (const each of yarrow.run(input, { agent })) told[at].push(each);
  }
};
await Promise.all(Array.from({ length: atOnce }, work));
process.stdout.write(JSON.stringify(told));
