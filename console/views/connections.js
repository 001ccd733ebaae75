/** Shows the servers that agents use with the user's own account: connected, lapsed or not yet; and ends a sign-in to one. */
import { useAgents } from "../agents.js";
import { Confirm } from "../confirm.js";
import { takeReturn, takeWanted, want } from "../connections/callback.js";
import { beginSignIn, finishSignIn, listConnections, removeConnection } from "../connections/connections_api.js";
import { tellOf } from "../connections/offers.js";
import { rowsOf } from "../connections/rows.js";
import { html, useEffect, useRef, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { t, time } from "../words.js";

const nameOf = ({ connection, offers: [offer] }) => offer?.server ?? connection.host;

function Standing({ connection }) {
  if (!connection) return html`<span class="standing pending">${t("connections.none")}</span>`;
  const isActive = connection.status === "active";
  return html`<span class=${`standing ${isActive ? "done" : "failed"}`}>${t(isActive ? "connections.active" : "connections.lapsed")}</span>`;
}

function Row({ row, isBusy, connect, remove }) {
  const { connection, offers } = row;
  const { agents } = useAgents();
  const labels = [...new Set(offers.map(({ agent }) => agents?.find(({ name }) => name === agent)?.label ?? agent))];
  const name = nameOf(row);
  const of = html`<span class="hidden"> ${name}</span>`;
  return html`<li class="connection">
    <div class="what">
      <h2>${name}</h2>
      <p class="fine">${connection?.host ?? offers[0].host}${labels.length > 0 && html` · ${t("connections.for", { agents: labels.join(", ") })}`}
        ${connection && html`<br />${t("connections.since")}${t("colon")}<time datetime=${connection.createdAt}>${time(connection.createdAt, { dateStyle: "medium", timeStyle: "short" })}</time>`}
        ${connection && !offers.length && html`<br />${t("connections.unused")}`}</p>
      <${Standing} connection=${connection} />
    </div>
    <p class="buttons">
      ${offers.length > 0 && connection?.status !== "active" && html`<button type="button" class="primary" disabled=${isBusy} onClick=${() => connect(offers[0])}>${t(connection ? "connections.again" : "connections.connect")}${of}</button>`}
      ${connection && html`<button type="button" disabled=${isBusy} onClick=${() => remove(row)}>${t("connections.remove")}${of}</button>`}
    </p>
  </li>`;
}

function Connections({ api }) {
  const [read, set] = useState(null);
  const [error, setError] = useState(null);
  const [retry, setRetry] = useState(null);
  const [isBusy, setBusy] = useState(true);
  const [told, tell] = useState("");
  const [removing, ask] = useState(null);
  const status = useRef(null);
  const leaving = useRef(new AbortController());
  /** Do one thing at a time; what fails is told, with a way to try again. */
  const act = async (action, again) => {
    setBusy(true);
    setError(null);
    tell("");
    try {
      await action();
    } catch (caught) {
      setError(caught);
      setRetry(() => again);
    }
    setBusy(false);
  };
  const load = async () => {
    const found = await listConnections(api, leaving.current.signal);
    set(found);
    tellOf(found);
  };
  const open = () => act(load, open);
  const connect = (offer) =>
    act(async () => {
      const url = await beginSignIn(api, offer);
      want(offer);
      location.assign(url);
      await new Promise(() => {}); // the page is left
    }, () => connect(offer));
  const finish = async (returned, wanted) => {
    await act(async () => {
      const { host } = await finishSignIn(api, returned);
      tell(t("connections.told.connected", { name: wanted?.server ?? host }));
    }, wanted ? () => connect(wanted) : null);
    await load().catch((caught) => (setError((before) => before ?? caught), setRetry((before) => before ?? open)));
  };
  const remove = () => {
    const row = removing;
    ask(null);
    const doIt = () => act(async () => {
      await removeConnection(api, row.connection.id);
      await load();
      tell(t("connections.told.removed", { name: nameOf(row) }));
      status.current?.focus(); // its button is gone
    }, doIt);
    return doIt();
  };
  useEffect(() => {
    const [returned, wanted] = [takeReturn(), takeWanted()];
    if (returned) finish(returned, wanted);
    else open();
    // From the authorization server one may come back by the browser's own button, to the page as it was.
    const shown = ({ persisted }) => persisted && open();
    addEventListener("pageshow", shown);
    return () => (removeEventListener("pageshow", shown), leaving.current.abort());
  }, []);
  const rows = read && rowsOf(read);
  return html`
    <h1>${t("connections.heading")}</h1>
    <p class="lead">${t("connections.lead")}</p>
    ${error && html`<${Problem} error=${error} retry=${retry ?? undefined} />`}
    <p class="told-of" role="status" tabindex="-1" ref=${status}>${told}</p>
    ${!rows && !error && html`<p class="waiting">${t("loading")}</p>`}
    ${rows?.length === 0 && html`<p class="empty">${t("connections.empty")}</p>`}
    <ul class="list" aria-busy=${isBusy ? "true" : "false"}>
      ${rows?.map((row) => html`<${Row} key=${row.key} row=${row} isBusy=${isBusy} connect=${connect} remove=${ask} />`)}
    </ul>
    ${removing && html`<${Confirm} title=${t("connections.remove.ask", { name: nameOf(removing) })} what=${t("connections.remove.what")} action=${t("connections.remove")} confirmed=${remove} left=${() => ask(null)} />`}
  `;
}

export default { name: "connections", title: "connections.title", inNavigation: true, component: Connections };
