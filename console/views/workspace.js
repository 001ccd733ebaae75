/** Shows a workspace: sessions with one agent over a WebSocket, with its questions, steps, files and log. */
import { html, useEffect, useRef, useState } from "../dom.js";
import { Problem, kindOf } from "../problem.js";
import { KNOWN, taskTitle } from "../kinds.js";
import { address, go, settle } from "../router.js";
import { t } from "../words.js";
import { Conversation } from "../workspace/conversation.js";
import { Line } from "../workspace/line.js";
import { Files, Log, Questions, Steps } from "../workspace/panels.js";
import { EMPTY, applied, text } from "../workspace/state.js";

const ANSWERED_WITHIN = 20_000; // milliseconds

/** Chooses a workspace: one that comes with the service, or another by its name. */
function Choose() {
  const [name, set] = useState("");
  const submit = (event) => {
    event.preventDefault();
    if (name.trim()) go("workspace", name.trim());
  };
  return html`
    <h1>${t("workspace.heading")}</h1>
    <p class="lead">${t("workspace.lead")}</p>
    <ul class="list">
      ${KNOWN.map((each) => html`<li class="job" key=${each}><a href=${address("workspace", each)}><span class="title">${taskTitle(each)}</span><span class="fine"><code>${each}</code></span></a></li>`)}
    </ul>
    <form class="by-name" onSubmit=${submit}>
      <label for="task">${t("workspace.other")}</label>
      <div><input id="task" maxlength="128" autocapitalize="none" value=${name} onInput=${(event) => set(event.target.value)} /><button>${t("workspace.open")}</button></div>
    </form>
  `;
}

/** Renders the workspace over its connection. Frames that arrive together are shown together. */
function useWorkspace(api, taskName) {
  const [state, set] = useState(EMPTY);
  const [status, setStatus] = useState({ line: "connecting", error: null });
  const [refused, refuse] = useState(null);
  const line = useRef(null);
  useEffect(() => {
    let current = EMPTY;
    let frame = 0;
    const show = () => {
      frame = 0;
      set(current);
    };
    line.current = new Line(api, taskName, {
      told: (told) => {
        if (told.taskName !== undefined && told.taskName !== taskName) return;
        if (told.type === "agent_error") refuse({ code: text(told.data?.code), message: text(told.data?.message) || t("workspace.refused") });
        current = applied(current, told);
        frame ||= requestAnimationFrame(show);
      },
      changed: (next, error = null) => setStatus({ line: next, error }),
    });
    return () => {
      cancelAnimationFrame(frame);
      line.current.close();
    };
  }, [api, taskName]);
  const send = (type, payload) => {
    refuse(null);
    return line.current.send(type, payload);
  };
  return { state, ...status, refused, send, connect: () => line.current.connect() };
}

const nameOf = (session) => text(session.name) || text(session.id).slice(0, 8);

function Sessions({ state, send, isDisabled }) {
  const [asks, ask] = useState(false);
  const dialog = useRef(null);
  useEffect(() => {
    if (asks) dialog.current.showModal();
  }, [asks]);
  const active = state.sessions.find((each) => each.id === state.active);
  const remove = () => {
    send("agent_session_delete", { sessionId: state.active });
    dialog.current.close();
  };
  return html`<div class="sessions-bar">
    <label>
      <span class="hidden">${t("workspace.session")}</span>
      <select value=${state.active} disabled=${isDisabled} onChange=${(event) => send("agent_session_switch", { sessionId: event.target.value })}>
        ${state.sessions.map((each) => html`<option key=${each.id} value=${each.id}>${nameOf(each)}</option>`)}
      </select>
    </label>
    <button type="button" disabled=${isDisabled} onClick=${() => send("agent_session_create", { name: "" })}>${t("workspace.new")}</button>
    <button type="button" class="quiet" disabled=${isDisabled || !active} onClick=${() => ask(true)}>${t("workspace.delete")}</button>
    ${
      asks &&
      html`<dialog ref=${dialog} aria-labelledby="deleting" onClose=${() => ask(false)}>
        <h2 id="deleting">${t("workspace.delete.ask", { name: active && nameOf(active) })}</h2>
        <p class="buttons">
          <button type="button" class="primary" onClick=${remove}>${t("workspace.delete")}</button>
          <button type="button" onClick=${() => dialog.current.close()}>${t("workspace.keep")}</button>
        </p>
      </dialog>`
    }
  </div>`;
}

/** Shows the available actions among pause, resume, retry and cancel. */
function Controls({ work, isThinking, control, isDisabled }) {
  const [paused, canceled] = [work.paused === true, work.canceled === true];
  const state = canceled ? "canceled" : paused ? "paused" : isThinking ? "running" : "active";
  const button = (action) => html`<button type="button" key=${action} disabled=${isDisabled} onClick=${() => control(action)}>${t(`workspace.do.${action}`)}</button>`;
  return html`<div class="work">
    <span class=${`standing ${state}`} role="status">${t(`workspace.state.${state}`)}</span>
    ${paused || canceled ? button("resume") : button("pause")} ${button("retry")} ${!canceled && button("cancel")}
  </div>`;
}

/** Opens the session that the address names, then has the address name the session that is shown; true if it is gone. */
function useNamedSession(taskName, sessionId, { state, isOpen, isHere, send }) {
  const wanted = useRef(sessionId);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    if (!isOpen || !isHere) return;
    const id = wanted.current;
    if (id && id !== state.active && state.sessions.some((each) => each.id === id)) {
      if (send("agent_session_switch", { sessionId: id })) wanted.current = null;
      return;
    }
    if (id && id !== state.active) return setGone(true);
    wanted.current = null;
    if (state.active) settle("workspace", taskName, state.active);
  }, [isOpen, isHere, state.active]);
  return isGone;
}

function Open({ api, taskName, sessionId }) {
  const { state, line, error, refused, send, connect } = useWorkspace(api, taskName);
  const [isLate, setLate] = useState(false);
  const isOpen = line === "open";
  const isHere = state.sessions !== null;
  useEffect(() => {
    const timer = isOpen && !isHere ? setTimeout(() => setLate(true), ANSWERED_WITHIN) : 0;
    return () => clearTimeout(timer);
  }, [isOpen, isHere]);
  const isGone = useNamedSession(taskName, sessionId, { state, isOpen, isHere, send });
  const id = state.active;
  const messages = state.messages.get(id) ?? [];
  const work = state.work.get(id) ?? {};
  const isThinking = messages.some((each) => each._thinking === true);
  const isStopped = work.paused === true || work.canceled === true;
  const act = (type, payload) => send(type, { sessionId: id, ...payload });
  return html`
    <p class="fine"><a href=${address("workspace")}>${t("workspace.all")}</a></p>
    <h1>${taskTitle(taskName)}</h1>
    <p class="summary"><span role="status" class=${`state line ${line}${isOpen && isHere ? " hidden" : ""}`}>${t(`workspace.line.${line}`)}</span></p>
    ${error && html`<${Problem} error=${error} retry=${kindOf(error) === "task" ? undefined : connect} retryLabel=${t("workspace.connect")} />`}
    ${refused && html`<${Problem} error=${refused} />`}
    ${isLate && !isHere && html`<p class="note" role="alert">${t("workspace.silent")}</p>`}
    ${!isHere && !error && !isLate && html`<p class="waiting">${t("loading")}</p>`}
    ${isGone && html`<p class="note" role="status">${t("workspace.gone")} <a href=${address("talk", sessionId)}>${t("workspace.asTalk")}</a></p>`}
    ${
      isHere &&
      html`
        <${Sessions} state=${state} send=${send} isDisabled=${!isOpen} />
        ${
          id &&
          html`<div class="workspace-columns">
            <div>
              <${Controls} work=${work} isThinking=${isThinking} isDisabled=${!isOpen} control=${(action) => act("agent_execution_control", { action })} />
              <${Conversation} key=${id} messages=${messages} act=${act} isOpen=${isOpen} isDisabled=${!isOpen || isStopped} />
              <p class="fine ways-out">
                ${taskName === "cast" && messages.length > 1 && html`<a href=${address("reading", id)}>${t("glass.reading")}</a>`}
                <a href=${address("glass", id)}>${t("reading.glass")}</a>
              </p>
            </div>
            <section class="beside" aria-label=${t("workspace.beside")} key=${`beside ${id}`}>
              <${Steps} items=${state.subtasks.get(id) ?? []} />
              <${Files} items=${state.artifacts.get(id) ?? []} />
              <${Questions} prompt=${state.prompts.get(id) ?? {}} act=${act} isDisabled=${!isOpen || isStopped} />
              <${Log} lines=${state.logs.get(id) ?? []} />
            </section>
          </div>`
        }
        ${!id && html`<p class="empty">${t("workspace.none")}</p>`}
      `
    }
  `;
}

function Workspace({ api, parts: [taskName, sessionId] }) {
  return taskName ? html`<${Open} api=${api} taskName=${taskName} sessionId=${sessionId} />` : html`<${Choose} />`;
}

export default { name: "workspace", title: "workspace.title", inNavigation: true, component: Workspace };
