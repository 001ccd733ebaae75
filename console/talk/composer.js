/** Where one writes: text, pictures by drop, paste, file and camera, and the voice. */
import { html, useEffect, useRef, useState } from "../dom.js";
import { Problem, Told } from "../problem.js";
import { t } from "../words.js";
import { MOST_SECONDS, record } from "./recorder.js";

const MOST_PICTURES = 3;
const MOST_BYTES = 5 * 1024 * 1024;

/** The pictures among files; throws what is wrong with the others. */
function picturesOf(files, room) {
  const found = [...files];
  if (found.some((each) => !/^image\/(png|jpeg|gif|webp)$/.test(each.type))) throw new Told(t("talk.notapicture"));
  if (found.some((each) => each.size > MOST_BYTES)) throw new Told(t("talk.toolarge"));
  if (found.length > room) throw new Told(t("talk.toomany"));
  return found;
}

function Voice({ api, heard, failed }) {
  const [state, set] = useState("off");
  const running = useRef(null);
  const timer = useRef(0);
  useEffect(() => () => (clearTimeout(timer.current), running.current?.cancel()), []);
  const stop = async () => {
    clearTimeout(timer.current);
    const current = running.current;
    running.current = null;
    if (!current) return;
    set("busy");
    try {
      heard(await api.transcribe(await current.stop()));
    } catch (error) {
      failed(error);
    }
    set("off");
  };
  const start = async () => {
    try {
      running.current = await record();
      timer.current = setTimeout(stop, MOST_SECONDS * 1000);
      set("on");
    } catch (error) {
      failed(error.name === "NotAllowedError" || error.name === "NotFoundError" ? new Told(t("talk.nomicrophone")) : error);
    }
  };
  return html`<button
    type="button"
    class=${`voice ${state}`}
    aria-pressed=${state === "on" ? "true" : "false"}
    disabled=${state === "busy"}
    onClick=${state === "on" ? stop : start}
  >
    ${t(`talk.voice.${state}`)}
  </button>`;
}

/** What is wrong with a picture, a recording or an upload is said here, beside what it is about. With `add`, words are
 * added to the run that goes on; pictures then stay for the next message. */
export function Composer({ api, threadId, pictures, isRunning, send, add, stop, draft = "" }) {
  const [text, set] = useState(draft);
  const [files, setFiles] = useState([]);
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const [error, failed] = useState(null);
  const field = useRef(null);
  const attach = (given) => {
    failed(null);
    try {
      const added = picturesOf(given, MOST_PICTURES - files.length);
      setFiles([...files, ...added.map((file) => ({ file, url: URL.createObjectURL(file) }))]);
    } catch (error) {
      failed(error);
    }
  };
  /** The field is free at once; what was refused stands in it again, before what was written since. */
  const addWords = async (words) => {
    set("");
    failed(null);
    field.current?.focus();
    try {
      await add(words);
    } catch (error) {
      set((since) => [words, since].filter(Boolean).join("\n"));
      failed(error);
    }
  };
  const submit = async (event) => {
    event?.preventDefault();
    const words = text.trim();
    if (isRunning && add && words) return addWords(words);
    if ((!words && !files.length) || busy || isRunning) return;
    setBusy(true);
    failed(null);
    try {
      const parts = [];
      for (const { file, url } of files) {
        const { attachment } = await api.upload(threadId, file);
        pictures.set(attachment.path, url);
        parts.push({ type: "binary", mimeType: attachment.mimeType, id: attachment.path }); // its URL expires
      }
      const isSent = await send(parts.length ? [...(words ? [{ type: "text", text: words }] : []), ...parts] : words);
      if (isSent) {
        set("");
        setFiles([]);
      }
    } catch (error) {
      failed(error);
    }
    setBusy(false);
    field.current?.focus();
  };
  const dropped = (event) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer.files.length) attach(event.dataTransfer.files);
  };
  return html`<form
    class=${over ? "composer over" : "composer"}
    onSubmit=${submit}
    onDragOver=${(event) => (event.preventDefault(), setOver(true))}
    onDragLeave=${() => setOver(false)}
    onDrop=${dropped}
  >
    ${
      files.length > 0 &&
      html`<ul class="pictures">
        ${files.map(
          ({ file, url }) => html`<li key=${url}>
            <img src=${url} alt=${file.name} />
            <button type="button" aria-label=${t("talk.remove", { name: file.name })} onClick=${() => setFiles(files.filter((each) => each.url !== url))}>×</button>
          </li>`,
        )}
      </ul>`
    }
    ${error && html`<${Problem} error=${error} />`}
    <label class="hidden" for="words">${t("talk.words")}</label>
    <textarea
      id="words"
      ref=${field}
      rows="1"
      maxlength="10000"
      placeholder=${t("talk.words")}
      value=${text}
      onInput=${(event) => set(event.target.value)}
      onPaste=${(event) => event.clipboardData.files.length && (event.preventDefault(), attach(event.clipboardData.files))}
      onKeyDown=${(event) => event.key === "Enter" && !event.shiftKey && !event.isComposing && submit(event)}
    ></textarea>
    <p class="tools">
      ${
        !(isRunning && add) &&
        html`<label class="file">
            <input type="file" accept="image/png,image/jpeg,image/gif,image/webp" multiple onChange=${(event) => (attach(event.target.files), (event.target.value = ""))} />
            <span>${t("talk.pictures")}</span>
          </label>
          <label class="file camera">
            <input type="file" accept="image/*" capture="environment" onChange=${(event) => (attach(event.target.files), (event.target.value = ""))} />
            <span>${t("talk.camera")}</span>
          </label>`
      }
      <${Voice} api=${api} heard=${(words) => words ? set((before) => [before.trim(), words].filter(Boolean).join(" ")) : failed(new Told(t("talk.silence")))} failed=${failed} />
      ${
        isRunning
          ? html`<span class="buttons">
              <button type="button" class=${add ? "" : "primary"} onClick=${stop}>${t("stop")}</button>
              ${add && html`<button class="primary" disabled=${!text.trim()}>${t("talk.send")}</button>`}
            </span>`
          : html`<button class="primary" disabled=${busy || (!text.trim() && !files.length)}>${busy ? t("cast.sending") : t("talk.send")}</button>`
      }
    </p>
  </form>`;
}
