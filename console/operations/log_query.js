/** Leads to the lines of a run or a user in the logs: in CloudWatch where the deployment has them there, else as a query to copy. */
import { Copy } from "../copy.js";
import { html } from "../dom.js";
import { logLink, logQuery } from "./sums.js";

export function LogQuery({ logGroup, member, value, children }) {
  const query = logQuery(member, value);
  return logGroup
    ? html`<a href=${logLink(logGroup, query)} target="_blank" rel="noreferrer">${children}</a>`
    : html`<${Copy} quiet text=${query}>${children}<//>`;
}
