/** Leads from a run to a new one with the same words, which its user may change first. */
import { agentsByName, talks } from "../agents.js";
import { runOf } from "../api.js";
import { leaveDraft } from "../draft.js";
import { html, useState } from "../dom.js";
import { Told } from "../problem.js";
import { go } from "../router.js";
import { t } from "../words.js";

/** Leave the words of a run for the view that asks its agent; throws if the history does not have them. */
async function ask(api, threadId, runId) {
  const [{ messages, agent }, agents] = await Promise.all([api.history(threadId), agentsByName(api)]);
  const message = messages.find((each) => each.role === "user" && runOf(each.id) === runId);
  if (!message?.content.trim()) throw new Told(t("again.none"));
  const listed = agents.get(agent);
  if (agent === "divination" && listed) {
    leaveDraft("cast", message.content, t("again.cast"));
    return go("cast");
  }
  if (listed && !talks(listed)) throw new Told(t("again.other", { agent: listed.label }));
  leaveDraft("talk", message.content, t(message.attachments?.length ? "again.pictures" : "again.note"));
  return listed ? go("talk", agent) : go("talk");
}

export function Again({ api, threadId, runId, failed }) {
  const [isBusy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    try {
      await ask(api, threadId, runId);
    } catch (error) {
      failed(error);
    }
    setBusy(false);
  };
  return html`<button type="button" disabled=${isBusy} title=${t("again.what")} onClick=${begin}>${t("again.run")}</button>`;
}
