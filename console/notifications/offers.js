/** Offers notifications where one waits for an answer, and shows whether they are on where one may turn them off. */
import { html, useEffect, useState } from "../dom.js";
import { Problem } from "../problem.js";
import { t } from "../words.js";
import { canNotify, turnOff, turnOn, useIsOn } from "./device.js";

const LONG = 4_000; // milliseconds of an answer after which one may want to leave

/** Beside an answer that is not complete yet. */
export function TellMe({ api, config }) {
  const { isOn, error } = useIsOn();
  const [wasAsked, ask] = useState(false);
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG);
    return () => clearTimeout(timer);
  }, []);
  if (!canNotify(config) || !isLong || (isOn && !wasAsked)) return null;
  if (isOn) return html`<p class="fine" role="status">${t("notify.will")}</p>`;
  return html`<div>
    <button type="button" class="quiet" onClick=${() => (ask(true), turnOn(api))}>${t("notify.tell")}</button>
    ${error && html`<${Problem} error=${error} />`}
  </div>`;
}

/** A row of settings. */
export function NotificationsRow({ api, config }) {
  const { isOn, error } = useIsOn();
  const [isBusy, setBusy] = useState(false);
  if (!canNotify(config)) return null;
  const change = async () => {
    setBusy(true);
    await (isOn ? turnOff : turnOn)(api);
    setBusy(false);
  };
  return html`<section class="setting" aria-labelledby="notifications">
    <div>
      <h2 id="notifications">${t("notify.heading")}</h2>
      <p class="fine" role="status">${t(isOn ? "notify.on" : "notify.off")}</p>
    </div>
    <button type="button" disabled=${isBusy} onClick=${change}>${t(isOn ? "notify.turn.off" : "notify.turn.on")}</button>
    ${error && html`<${Problem} error=${error} />`}
  </section>`;
}
