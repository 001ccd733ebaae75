/** JSON Patch (RFC 6902), as STATE_DELTA has it. What does not fit leaves the state as it was. */

export function patched(state, operations) {
  try {
    return operations.reduce(applied, state);
  } catch {
    return state;
  }
}

function applied(state, { op, path, from, value }) {
  const to = steps(path);
  switch (op) {
    case "add":
    case "replace":
      return put(state, to, value, op === "add");
    case "remove":
      return removed(state, to);
    case "move":
      return put(removed(state, steps(from)), to, at(state, steps(from)), true);
    case "copy":
      return put(state, to, at(state, steps(from)), true);
    default:
      return state; // "test" is the service's matter
  }
}

const steps = (path) => path.split("/").slice(1).map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));
const at = (value, path) => path.reduce((each, step) => each[step], value);

function put(value, [step, ...rest], given, isNew) {
  if (step === undefined) return given;
  const isLast = rest.length === 0;
  if (Array.isArray(value)) {
    const index = step === "-" ? value.length : Number(step);
    if (isLast && isNew) return value.toSpliced(index, 0, given);
    return value.with(index, put(value[index], rest, given, isNew));
  }
  return copied(value, [step, isLast ? given : put(value[step], rest, given, isNew)]);
}

function removed(value, [step, ...rest]) {
  if (step === undefined) return null;
  if (rest.length) return Array.isArray(value) ? value.with(Number(step), removed(value[step], rest)) : copied(value, [step, removed(value[step], rest)]);
  return Array.isArray(value) ? value.toSpliced(Number(step), 1) : Object.fromEntries(Object.entries(value).filter(([name]) => name !== step));
}

/** Through entries: a member may be called `__proto__`. */
const copied = (value, entry) => Object.fromEntries([...Object.entries(value), entry]);
