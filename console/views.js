/**
 * The views, in the order of the navigation, of which phones have the first four in their bar. A view is one file of `views/`, and two lines here; one with `load` has its
 * code loaded when it is opened, one with `isThere` is shown where the configuration says so, and one with `agent` where
 * that agent is listed. One with `isOffered` has its address everywhere, and is named in the navigation where it is of use to who is signed in.
 */
import cast from "./views/cast.js";
import session from "./views/session.js";

const reading = {
  name: "reading",
  title: "reading.title",
  under: "history",
  load: () => import("./views/reading.js"),
};
const history = {
  name: "history",
  title: "history.title",
  inNavigation: true,
  load: () => import("./views/history.js"),
};
const talk = {
  name: "talk",
  title: "talk.title",
  inNavigation: true,
  load: () => import("./views/talk.js"),
};
const inbox = {
  name: "inbox",
  title: "inbox.title",
  inNavigation: true,
  badge: ({ questions, hasMore }) => (questions?.length ? { count: questions.length, isMore: hasMore } : null),
  load: () => import("./views/inbox.js"),
};
const workspace = {
  name: "workspace",
  title: "workspace.title",
  inNavigation: true,
  isThere: (config) => Boolean(config.workspace),
  load: () => import("./views/workspace.js"),
};
const jobs = {
  name: "jobs",
  title: "jobs.title",
  inNavigation: true,
  isThere: (config) => Boolean(config.jobs),
  load: () => import("./views/jobs.js"),
};
const usage = {
  name: "usage",
  title: "usage.title",
  inNavigation: true,
  load: () => import("./views/usage.js"),
};
const connections = {
  name: "connections",
  title: "connections.title",
  inNavigation: true,
  isThere: (config) => Boolean(config.connections),
  isOffered: ({ areThere }) => areThere,
  load: () => import("./views/connections.js"),
};
const operations = {
  name: "operations",
  title: "operations.title",
  inNavigation: true,
  isOffered: (_, session) => session.operates,
  load: () => import("./views/operations.js"),
};
const glass = {
  name: "glass",
  title: "glass.title",
  inNavigation: true,
  load: () => import("./views/glass.js"),
};

export const VIEWS = [cast, talk, inbox, history, workspace, jobs, usage, connections, operations, glass, reading, session];
