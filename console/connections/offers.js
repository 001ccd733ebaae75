/** Whether agents have servers that users sign in to, read when the page opens: the navigation names the view only then. */
import { knowledge } from "../known.js";
import { listConnections } from "./connections_api.js";

const KEPT = "yarrow.connections"; // of the last visit, so that the navigation does not change once the answer has come

const { publish, use } = knowledge({ areThere: localStorage.getItem(KEPT) === "yes" });

export function tellOf({ servers, connections }) {
  const areThere = servers.length > 0 || connections.length > 0;
  localStorage.setItem(KEPT, areThere ? "yes" : "no");
  publish({ areThere });
}

/** Ask where users can sign in to servers at all; what cannot be read changes nothing. */
export const readOffers = (api, { connections }) => connections && listConnections(api).then(tellOf, () => {});

export const useOffers = use;
