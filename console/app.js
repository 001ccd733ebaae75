/** Renders the page: its configuration, the signed-in user, and the view of the current address. */
import { readAgents, useAgents } from "./agents.js";
import { Api } from "./api.js";
import { catchReturn } from "./connections/callback.js";
import { readOffers, useOffers } from "./connections/offers.js";
import { html, render, useEffect, useRef, useState } from "./dom.js";
import { useQuestions, useReading } from "./inbox/questions.js";
import { Navigation } from "./navigation.js";
import { turnOff, useDevice } from "./notifications/device.js";
import { Problem, offerSignIn } from "./problem.js";
import { address, usePlace } from "./router.js";
import { Session } from "./session.js";
import { ShortcutKeys } from "./shortcuts.js";
import { LANGUAGES, chosenLanguage, currentLanguage, languageOf, number, rename, speak, t } from "./words.js";
import { VIEWS } from "./views.js";
import notFound from "./views/not_found.js";

function Languages({ changed }) {
  return html`<label class="languages">
    <span class="hidden">${t("language")}</span>
    <select value=${currentLanguage()} onChange=${(event) => changed(event.target.value)}>
      ${Object.entries(LANGUAGES).map(([tag, name]) => html`<option value=${tag} lang=${tag}>${name}</option>`)}
    </select>
  </label>`;
}

/** The logo and the accent colour of a deployment. */
let logo = null;
function dress(config) {
  logo = config.logo ?? null;
  if (config.name) rename(config.name);
  if (!config.color) return;
  document.documentElement.style.setProperty("--accent", config.color);
  document.documentElement.classList.add("accented");
}

const Mark = () =>
  logo
    ? html`<img class="mark" src=${logo} alt="" />`
    : html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M4 5h24v4H4zM4 14h10.500v4H4zm13.500 0H28v4H17.500zM4 23h24v4H4z" />
      </svg>`;

function SignIn({ session, error, changed }) {
  const { names } = useAgents(); // of the last visit
  const isOfCast = names?.includes("divination") ?? true;
  return html`<main class="welcome" id="main">
    <${Mark} />
    <h1>${t("name")}</h1>
    <p class="lead">${t(isOfCast ? "welcome.cast" : "welcome.talk")}</p>
    ${error && html`<${Problem} error=${error} />`}
    ${
      session.config.isReady
        ? html`<button class="primary" onClick=${() => session.signIn(currentLanguage())}>${t("signin")}</button>`
        : html`<div class="problem" role="alert">
            <p><strong>${t("notready.what")}</strong> ${t("notready.do")}</p>
            <p class="fine"><code>ConsoleUrl=${location.origin + location.pathname}</code></p>
          </div>`
    }
    <${Languages} changed=${changed} />
  </main>`;
}

/** Renders a view, loading its code first if needed. */
function Opened({ view, ...given }) {
  const [component, set] = useState(() => view.component);
  const [error, setError] = useState(null);
  useEffect(() => {
    if (!component) view.load().then((module) => set(() => module.default.component), setError);
  }, []);
  if (error) return html`<${Problem} error=${error} retry=${() => location.reload()} />`;
  return component ? html`<${component} ...${given} />` : html`<p class="waiting">${t("loading")}</p>`;
}

function Shell({ session, api, changed }) {
  const { name, parts } = usePlace();
  const questions = useQuestions();
  useReading(api);
  useDevice(api, session.config, currentLanguage());
  const { names, isFailed } = useAgents();
  useEffect(() => void readAgents(api), [api, currentLanguage()]);
  const offers = useOffers();
  useEffect(() => void readOffers(api, session.config), [api]);
  const isListed = (agent) => !agent || !names || names.includes(agent);
  const views = VIEWS.filter((each) => (each.isThere?.(session.config) ?? true) && isListed(each.agent));
  const offered = views.filter((each) => each.isOffered?.(offers, session) ?? true);
  const view = views.find((each) => each.name === name) ?? (name ? notFound : views[0]);
  const isUnsure = view.agent && !names && !isFailed; // whether there is such a view
  const signOut = () => turnOff(api).then(() => session.signOut());
  const who = session.claims.name ?? session.claims.sub;
  const main = useRef(null);
  const isFirst = useRef(true);
  useEffect(() => {
    const waiting = questions.questions?.length;
    document.title = `${waiting ? `(${number(waiting)}) ` : ""}${t(view.title)} · ${t("name")}`;
  }, [view, questions]);
  useEffect(() => {
    if (!isFirst.current) main.current.focus(); // a screen reader reads the new view
    isFirst.current = false;
  }, [view]);
  return html`
    <a class="skip" href="#main" onClick=${(event) => (event.preventDefault(), main.current.focus())}>${t("skip")}</a>
    <header>
      <a class="brand" href=${address(views[0].name)}><${Mark} /><span>${t("name")}</span></a>
      <${Navigation} views=${offered} view=${view} questions=${questions} who=${who} />
      <div class="account">
        <${ShortcutKeys} api=${api} views=${offered} changed=${changed} signOut=${signOut} />
        <${Languages} changed=${changed} />
        <span class="who" title=${session.claims.sub}>${who}</span>
        <button type="button" class="quiet" onClick=${signOut}>${t("signout")}</button>
      </div>
    </header>
    <main id="main" tabindex="-1" ref=${main} class=${`view ${view.name}`}>
      ${
        isUnsure
          ? html`<p class="waiting">${t("loading")}</p>`
          : html`<${Opened} key=${[view.name, ...parts].join("/")} view=${view} api=${api} session=${session} parts=${parts} views=${offered} />`
      }
    </main>
  `;
}

function App({ session, api, isSignedIn, error }) {
  const [, again] = useState(0);
  const changed = async (language) => {
    await speak(language, { isChosen: true, views: VIEWS });
    again((count) => count + 1);
  };
  return isSignedIn
    ? html`<${Shell} session=${session} api=${api} changed=${changed} />`
    : html`<${SignIn} session=${session} error=${error} changed=${changed} />`;
}

async function start(root) {
  catchReturn(); // before the console's own sign-in looks at the address
  const configured = new URL(document.querySelector('meta[name="config"]').content, document.baseURI);
  await speak(languageOf(chosenLanguage(), ...navigator.languages), { views: VIEWS });
  let isSignedIn = null;
  let error = null;
  let session = null;
  try {
    const response = await fetch(configured);
    const config = await response.json();
    dress(config);
    session = new Session(config);
    offerSignIn(() => session.signIn(currentLanguage()).catch(() => location.reload()));
    isSignedIn = await session.resume();
  } catch (caught) {
    error = caught;
  }
  if (isSignedIn === false) return; // on the way to the issuer
  if (session === null) return render(html`<main class="welcome"><${Problem} error=${error} /></main>`, root);
  if (!chosenLanguage() && session.claims.locale) await speak(languageOf(session.claims.locale), { views: VIEWS });
  const url = (session.config.api ?? new URL(".", document.baseURI).href).replace(/\/$/, "");
  const api = new Api({ url, token: (refused) => session.token(refused) });
  render(html`<${App} session=${session} api=${api} isSignedIn=${isSignedIn} error=${error} />`, root);
}

await start(document.getElementById("app"));
