/** WebSocket connections, and the events that are stored for them. */
export const websocketLimits = {
  /** WebSocket connections at once. */
  sockets: 1000,
  /** WebSocket connections of one user at once. */
  socketsOfUser: 20,
  /** Bytes of a message that a client sends over a WebSocket. */
  socketMessage: 16_384,
  /** Fragments of such a message. */
  socketFragments: 16,
  /** Pieces in which a fragment arrives that is not complete. */
  socketPieces: 64,
  /** Bytes that wait for one WebSocket client to read them; beyond that its connection is closed. */
  socketUnread: 4_194_304,
  /** Milliseconds between two pings over a WebSocket; a client that answers none is closed. */
  socketPing: 30_000,
  /** vAtoms that arrive with one stored event; more are stored as several. */
  arrivals: 100,
  /** Events stored for WebSocket clients. */
  events: 10_000,
  /** Milliseconds for which an event is stored; a connected client receives it within 100. */
  eventAge: 600_000,
} as const
