/** Shows a conversation with an agent over the AG-UI endpoint; a broken stream resumes from the journal. */
import { readAgents, useAgents } from "../agents.js";
import { takeDraft } from "../draft.js";
import { html, useCallback, useEffect, useRef, useState } from "../dom.js";
import { messageId, runOf } from "../api.js";
import { Ask, shownAnswer } from "../inbox/ask.js";
import { readAgain, useQuestions } from "../inbox/questions.js";
import { TellMe } from "../notifications/offers.js";
import { Problem } from "../problem.js";
import { address, go, place, settle } from "../router.js";
import { WentOn } from "../run.js";
import { t } from "../words.js";
import { AgentPicker, agentOf, chosenAgent, isThread, keepAgent, keepAgentOf } from "../talk/agent_picker.js";
import { Composer } from "../talk/composer.js";
import { CONFIRM, EMPTY, asked, before, fromHistory, joined, told, withAdded, withParts, withoutAdded } from "../talk/conversation.js";
import { Assistant, Question, User } from "../talk/message.js";

const GONE = new Set([404, 410]);
const MOST_TRIES = 10;
const NEAR = 120; // pixels from the end of the page at which it follows what comes

/** Pictures that this page has sent, by the paths they are kept at. */
const pictures = new Map();

/** Follows a conversation's runs, and opens it where it was left. */
function useConversation(api, threadId, openedAt) {
  const [conversation, show] = useState(EMPTY);
  const [cards, setCards] = useState(new Map());
  const [asked, setAsked] = useState(new Map());
  const [agent, setAgent] = useState(null);
  const [error, setError] = useState(null);
  const [runId, setRun] = useState(openedAt ?? null);
  const [wentOn, setWentOn] = useState(null);
  const current = useRef(EMPTY);
  const followed = useRef(openedAt ?? null);
  const leaving = useRef(null);
  const frame = useRef(0);
  const set = useCallback((next) => {
    current.current = next;
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0;
      show(current.current);
    });
  }, []);
  const history = async (signal) => {
    const { messages, agent: name } = await api.history(threadId, signal, { ui: "2.0" });
    if (name) setAgent(name);
    setCards(new Map(messages.filter((each) => each.ui_schema).map((each) => [each.id, each.ui_schema])));
    setAsked(new Map(messages.filter((each) => each.interrupt).map((each) => [each.id, each.interrupt])));
    return messages;
  };
  const follow = useCallback(
    async (run, profile, opened = null) => {
      leaving.current?.abort();
      const left = (leaving.current = new AbortController());
      setRun((followed.current = run));
      setWentOn(null);
      setError(null);
      try {
        for await (const { event } of api.watch(threadId, run, { profile, resumed: setWentOn, signal: left.signal })) {
          if (left.signal.aborted) return;
          const isWhole = opened && event.type === "MESSAGES_SNAPSHOT";
          set(told(current.current, isWhole ? { ...event, messages: opened.with(event.messages) } : event, opened?.known));
        }
        if (current.current.questions.length) readAgain(api);
        await history(left.signal);
      } catch (caught) {
        if (left.signal.aborted) return;
        set({ ...current.current, isRunning: false });
        if (opened && !current.current.messages.length) set({ ...current.current, messages: opened.known });
        if (opened?.known.length && GONE.has(caught.status)) return; // the history outlives the events
        setError(caught);
        addEventListener("online", () => follow(run, "snapshot"), { once: true, signal: left.signal });
      }
    },
    [api, threadId],
  );
  /** Open the conversation at a run, by default at its latest one. */
  const open = useCallback(
    async (at, signal) => {
      try {
        // A first run may have no history yet.
        const kept = await history(signal).catch((caught) => (at && GONE.has(caught.status) ? [] : Promise.reject(caught)));
        if (signal?.aborted) return;
        const known = fromHistory(kept);
        const run = at ?? kept.map((each) => runOf(each.id)).findLast(Boolean);
        const arrange = at ? withParts : joined; // the address names a run, the history the latest
        if (run) await follow(run, "snapshot", { known, with: (messages) => arrange(known, messages) });
        else set({ ...current.current, messages: known });
      } catch (caught) {
        if (!signal?.aborted) setError(caught);
      }
    },
    [threadId],
  );
  useEffect(() => {
    const left = new AbortController();
    if (!started.has(threadId)) open(openedAt, left.signal);
    started.delete(threadId);
    return () => {
      left.abort();
      leaving.current?.abort();
      cancelAnimationFrame(frame.current);
    };
  }, [threadId]);
  return { conversation, current, wentOn, cards, asked, agent, error, setError, runId, followed, set, follow, open };
}

/** Ask again while no worker has begun the run, as the service says when. */
async function onceBegun(ask) {
  for (let left = MOST_TRIES; ; left--) {
    try {
      return await ask();
    } catch (caught) {
      if (caught.payload?.params?.reason !== "not_begun" || left < 1) throw caught;
      await new Promise((resolve) => setTimeout(resolve, caught.wait));
    }
  }
}

/** Conversations that this page has begun: there is nothing to load. */
const started = new Set();

function Talk({ api, session, parts: [threadId, openedAt], agent: named, isFresh, renew }) {
  const talk = useConversation(api, threadId, openedAt);
  const open = useQuestions();
  const { conversation, current, error, setError } = talk;
  const { agents } = useAgents();
  const [wanted, want] = useState(named);
  const isNew = isFresh && !conversation.messages.length;
  const chosen = isNew ? chosenAgent(agents, wanted) : agents?.find((each) => each.name === (talk.agent ?? agentOf(threadId)));
  const choose = (name) => {
    keepAgent(name);
    want(name);
    setError(null);
    settle("talk", name);
  };
  const [draft] = useState(() => (isFresh ? takeDraft("talk") : null));
  const [said, say] = useState("");
  const [elsewhere, setElsewhere] = useState(null);
  const list = useRef(null);
  const end = useRef(null);
  const follows = useRef(true);
  useEffect(() => {
    const scrolled = () => (follows.current = innerHeight + scrollY > document.documentElement.scrollHeight - NEAR);
    addEventListener("scroll", scrolled, { passive: true });
    return () => removeEventListener("scroll", scrolled);
  }, []);
  useEffect(() => {
    const grown = new ResizeObserver(() => {
      if (follows.current && current.current.messages.length) end.current?.scrollIntoView({ block: "end", behavior: "instant" });
    });
    grown.observe(list.current);
    return () => grown.disconnect();
  }, []);
  const wasRunning = useRef(false);
  useEffect(() => {
    const ending = conversation.unread.length ? "talk.added.unread" : "talk.answered";
    if (wasRunning.current && !conversation.isRunning && !conversation.error && !error) say(t(ending));
    wasRunning.current = conversation.isRunning;
  }, [conversation.isRunning]);

  const submitted = useRef(null); // what the latest run was submitted by
  /** The ids of added messages that the service has. */
  const [accepted, accept] = useState([]);
  /** Submit these messages as a run and follow it; false if it was refused. */
  const submit = async (messages, run = `run-${crypto.randomUUID()}`, branch = undefined) => {
    const kept = current.current;
    setError(null);
    setElsewhere(null);
    follows.current = true;
    talk.set({ ...kept, messages, added: [], unread: [], questions: [], isRunning: true, error: null });
    try {
      const input = { threadId, runId: run, metadata: { branch }, messages, tools: [CONFIRM], state: kept.state };
      submitted.current = api.talk(input, kept.messages.length ? "" : chosen?.name); // a session keeps its agent
      await submitted.current;
    } catch (caught) {
      submitted.current = null;
      if (caught.code === "AGENT_NAME_UNKNOWN") readAgents(api);
      talk.set(kept);
      setError(caught);
      return false;
    }
    if (kept.questions.length) readAgain(api); // a message leaves them
    if (isNew && chosen) keepAgentOf(threadId, chosen.name);
    settle("talk", threadId, run);
    talk.follow(run, "agui");
    return true;
  };
  const send = (content) => {
    const run = `run-${crypto.randomUUID()}`;
    return submit([...current.current.messages, { id: messageId(run), role: "user", content }], run);
  };
  /** Add a message to the run that goes on; throws what it was refused for. */
  const add = async (content) => {
    const message = { id: crypto.randomUUID(), role: "user", content };
    follows.current = true;
    talk.set(withAdded(current.current, message));
    try {
      await submitted.current; // the run may be on its way
      await onceBegun(() => api.addMessage(threadId, talk.followed.current, { id: message.id, content }));
      accept((ids) => [...ids, message.id]);
    } catch (caught) {
      talk.set(withoutAdded(current.current, message.id));
      throw caught;
    }
  };
  /** Edit a message or have it answered again: another run replaces that message's. */
  const resend = (message, content) => {
    const run = `run-${crypto.randomUUID()}`;
    const earlier = before(current.current.messages, message.id);
    // Without an earlier message, its run identifies the place; the message identifies a run of another page.
    const parent = earlier.length ? undefined : runOf(message.id);
    const id = earlier.length || parent ? messageId(run) : message.id;
    return submit([...earlier, { id, role: "user", content }], run, parent);
  };
  const edit = (message, words) => {
    const others = Array.isArray(message.content) ? message.content.filter((each) => each.type !== "text") : [];
    resend(message, others.length ? [{ type: "text", text: words }, ...others] : words);
  };
  const again = () => {
    const last = current.current.messages.findLast((each) => each.role === "user");
    resend(last, last.content);
  };
  const answer = (call, content) => {
    const result = { id: crypto.randomUUID(), role: "tool", toolCallId: call.id, content };
    submit([...current.current.messages, result]);
  };
  /** Go on with the run that took an answer, which the conversation shows as the service does. */
  const goOn = (question, run, given) => {
    const content = shownAnswer(question, given);
    const kept = current.current;
    const messages = content === undefined ? kept.messages : [...kept.messages, { id: messageId(run.runId), role: "user", content }];
    follows.current = true;
    talk.set({ ...kept, messages, unread: [], questions: [], isRunning: true });
    settle("talk", threadId, run.runId);
    talk.follow(run.runId, "agui");
  };
  /** A question ended elsewhere: show how the conversation went on. */
  const endedElsewhere = (state) => {
    say(t(`inbox.state.${state}`));
    setElsewhere(state);
    settle("talk", threadId);
    talk.open();
  };
  const { messages, added, unread, isRunning } = conversation;
  const statuses = new Map([...talk.asked.values()].map((each) => [each.id, each.status]));
  // Where the run that asked is not known, the inbox has its questions.
  const listed = (open.questions ?? []).filter((each) => each.threadId === threadId && statuses.has(each.id));
  const asking = [...new Map([...conversation.questions, ...listed].map((each) => [each.id, each])).values()];
  const questions = isRunning ? [] : asking.filter((each) => (statuses.get(each.id) ?? "open") === "open");
  const isAsked = (message) => {
    const mark = talk.asked.get(message.id);
    if (mark) return questions.some((each) => each.id === mark.id);
    return questions.some((each) => each.message === message.content) && messages.indexOf(message) > messages.indexOf(lastUser);
  };
  const lastUser = messages.findLast((each) => each.role === "user");
  const last = messages.at(-1);
  const isIdle = !isRunning;
  const heading = chosen ? t("talk.heading", { agent: chosen.label }) : t("talk.title");
  return html`
    <div class="heading">
      <h1>${heading}</h1>
      ${messages.length > 0 && html`<button type="button" class="quiet" onClick=${renew}>${t("talk.new")}</button>`}
    </div>
    <p class="hidden" role="status">${said}</p>
    ${
      isNew &&
      html`<p class="lead">${draft?.note ?? t("talk.lead")}</p>
        ${agents && html`<${AgentPicker} agents=${agents} chosen=${chosen} asked=${wanted} choose=${choose} />`}`
    }
    <section ref=${list} class="conversation" aria-label=${heading}>
      ${messages.map((each) => {
        if (each.role === "user") {
          const isUnread = unread.includes(each.id);
          // The next run sees all that were left; the last of them begins it.
          const sendAgain = isIdle && isUnread && each === last ? () => resend(each, each.content) : undefined;
          return html`<${User}
            key=${each.id}
            message=${each}
            pictures=${pictures}
            edit=${isIdle ? edit : undefined}
            added=${isUnread ? "unread" : undefined}
            send=${sendAgain}
          />`;
        }
        if (each.role !== "assistant" || isAsked(each)) return null; // the question is below
        return html`<${Assistant}
          key=${each.id}
          message=${each}
          messages=${messages}
          card=${talk.cards.get(each.id)}
          asked=${talk.asked.get(each.id)}
          isLive=${isRunning && each === last}
          again=${isIdle && each === last && lastUser && each.content && !questions.length ? again : undefined}
        />`;
      })}
      ${isRunning && last?.role !== "assistant" && html`<p class="waiting">${t("talk.thinking")}</p>`}
      ${added.map((each) => {
        const state = accepted.includes(each.id) ? "waits" : "sending";
        return html`<${User} key=${each.id} message=${each} pictures=${pictures} added=${state} />`;
      })}
      <${WentOn} after=${talk.wentOn} />
      ${isRunning && html`<${TellMe} api=${api} config=${session.config} />`}
      ${asked(conversation).map((call) => html`<${Question} key=${call.id} call=${call} answer=${answer} />`)}
      ${elsewhere && html`<p class="fine">${t(`inbox.state.${elsewhere}`)}</p>`}
      ${questions.map(
        (each) => html`<${Ask} key=${each.id} api=${api} question=${each} answered=${(run, given) => goOn(each, run, given)} ended=${endedElsewhere} />`,
      )}
      ${conversation.isStopped && html`<p class="fine">${t("talk.stopped")}</p>`}
      ${conversation.error && html`<${Problem} error=${conversation.error} retry=${lastUser && again} />`}
      ${error && html`<${Problem} error=${error} retry=${talk.runId ? () => talk.follow(talk.runId, "snapshot") : undefined} />`}
    </section>
    <${Composer}
      api=${api}
      threadId=${threadId}
      pictures=${pictures}
      isRunning=${isRunning}
      send=${send}
      add=${chosen?.isSteerable ? add : undefined}
      stop=${() => api.cancel(threadId, talk.runId).catch(setError)}
      draft=${draft?.text}
    />
    <div class="below" ref=${end}>
      ${talk.runId && html`<p class="fine"><a href=${address("glass", threadId, talk.runId)}>${t("reading.glass")}</a></p>`}
      ${
        messages.length > 0 &&
        Object.keys(conversation.state ?? {}).length > 0 &&
        html`<details class="state-of"><summary>${t("talk.state")}</summary><pre tabindex="0"><code>${JSON.stringify(conversation.state, null, 2)}</code></pre></details>`
      }
    </div>
  `;
}

/** A new conversation has an id before its first message, for its pictures. */
function Opened(props) {
  const [fresh, set] = useState(begun);
  useEffect(() => {
    const changed = () => place().parts.length === 0 && set(begun()); // the address moved on without the page's knowing
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const renew = () => go("talk");
  const [first] = props.parts;
  const isFresh = first === undefined || !isThread(first);
  const parts = isFresh ? [fresh] : props.parts;
  return html`<${Talk} key=${parts[0]} ...${props} parts=${parts} agent=${isFresh ? first : undefined} isFresh=${isFresh} renew=${renew} />`;
}

function begun() {
  const id = crypto.randomUUID();
  started.add(id);
  return id;
}

export default { name: "talk", title: "talk.title", inNavigation: true, component: Opened };
