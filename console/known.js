/** What the page knows of something that it reads for several views, each of which is drawn again when that changes. */
import { useEffect, useState } from "./dom.js";

/** Return `{ now, publish, use }`: what is known, its changes, and a hook that returns it. */
export function knowledge(initial) {
  let known = initial;
  const listeners = new Set();
  return {
    now: () => known,
    publish(changes) {
      known = { ...known, ...changes };
      for (const listener of listeners) listener(known);
    },
    use() {
      const [state, set] = useState(known);
      useEffect(() => {
        listeners.add(set);
        set(known);
        return () => listeners.delete(set);
      }, []);
      return state;
    },
  };
}
