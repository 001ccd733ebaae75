/** Shows a workspace: sessions with one agent over a WebSocket, with its questions, steps, files and log. */
import { html, useEffect, useRef, useState } from "../dom.js";
import { Problem, kindOf } from "../problem.js";
import { address, go } from "../router.js";
import { t } from "../words.js";
import { Conversation } from "../workspace/conversation.js";
import { Line } from "../workspace/line.js";
import { Files, Log, Questions, Steps } from "../workspace/panels.js";
import { EMPTY, applied, text } from "../workspace/state.js";

const KNOWN = ["cast", "assistant"];
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
      ${KNOWN.map((each) => html`<li class="job" key=${each}><a href=${address("workspace", each)}><span class="title">${t(`workspace.task.${each}`)}</span><span class="fine"><code>${each}</code></span></a></li>`)}
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

function Open({ api, taskName }) {
  const { state, line, error, refused, send, connect } = useWorkspace(api, taskName);
  const [isLate, setLate] = useState(false);
  const isOpen = line === "open";
  const isHere = state.sessions !== null;
  useEffect(() => {
    const timer = isOpen && !isHere ? setTimeout(() => setLate(true), ANSWERED_WITHIN) : 0;
    return () => clearTimeout(timer);
  }, [isOpen, isHere]);
  const id = state.active;
  const messages = state.messages.get(id) ?? [];
  const work = state.work.get(id) ?? {};
  const isThinking = messages.some((each) => each._thinking === true);
  const isStopped = work.paused === true || work.canceled === true;
  const act = (type, payload) => send(type, { sessionId: id, ...payload });
  return html`
    <p class="fine"><a href=${address("workspace")}>${t("workspace.all")}</a></p>
    <h1>${KNOWN.includes(taskName) ? t(`workspace.task.${taskName}`) : taskName}</h1>
    <p class="summary"><span role="status" class=${`state line ${line}`}>${t(`workspace.line.${line}`)}</span></p>
    ${error && html`<${Problem} error=${error} retry=${kindOf(error) === "task" ? undefined : connect} retryLabel=${t("workspace.connect")} />`}
    ${refused && html`<${Problem} error=${refused} />`}
    ${isLate && !isHere && html`<p class="note" role="alert">${t("workspace.silent")}</p>`}
    ${!isHere && !error && !isLate && html`<p class="waiting">${t("loading")}</p>`}
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

function Workspace({ api, parts: [taskName] }) {
  return taskName ? html`<${Open} api=${api} taskName=${taskName} />` : html`<${Choose} />`;
}

export default { name: "workspace", title: "workspace.title", inNavigation: true, component: Workspace };
