/** Says that an address leads to no view, with the ways on. */
import { html } from "../dom.js";
import { address } from "../router.js";
import { t } from "../words.js";

function NotFound({ views }) {
  return html`<h1>${t("notfound.heading")}</h1>
    <p class="lead">${t("notfound.lead")}</p>
    <p><code>${location.hash.slice(0, 200)}</code></p>
    <ul class="ways-on">
      ${views
        .filter((each) => each.inNavigation)
        .map((each) => html`<li key=${each.name}><a href=${address(each.name)}>${t(each.title)}</a></li>`)}
    </ul>`;
}

export default { name: "not-found", title: "notfound.title", component: NotFound };
