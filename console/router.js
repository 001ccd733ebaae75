/** Addresses of views: `#/<view>/<part>/<part>`. */
import { useEffect, useState } from "./dom.js";

export function place() {
  const [, name = "", ...parts] = location.hash.split("/");
  return { name, parts: parts.map((part) => safely(part)) };
}

export const address = (name, ...parts) => `#/${[name, ...parts.map(encodeURIComponent)].join("/")}`;

export function go(name, ...parts) {
  location.hash = address(name, ...parts);
}

/** Show the same view at another address, without an entry in the browser's history. */
export function settle(name, ...parts) {
  history.replaceState(null, "", address(name, ...parts));
}

export function usePlace() {
  const [current, set] = useState(place);
  useEffect(() => {
    const changed = () => set(place());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return current;
}

function safely(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
