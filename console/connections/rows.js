/** Puts a user's connections and the servers that agents offer together. */

/** Return rows of `{ key, connection, offers }`: a connection with the servers that use it, or a server without one. */
export function rowsOf({ connections, servers }) {
  const connected = connections.map((connection) => ({
    key: connection.id,
    connection,
    offers: servers.filter(({ connectionId }) => connectionId === connection.id),
  }));
  const others = servers
    .filter(({ connectionId }) => !connections.some(({ id }) => id === connectionId))
    .map((offer) => ({ key: `${offer.agent}/${offer.server}`, connection: null, offers: [offer] }));
  const name = ({ connection, offers: [offer] }) => `${offer?.server ?? ""} ${connection?.host ?? offer.host}`;
  return [...connected, ...others].sort((one, other) => name(one).localeCompare(name(other)));
}
