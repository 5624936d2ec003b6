/** WebSocket connections, and the events that are stored for them. */
export const websocketLimits = {
  /** WebSocket connections at once. */
  sockets: 1000,
  /** WebSocket connections of one user at once. */
  socketsOfUser: 20,
  /** Bytes of a message that a client sends over a WebSocket. */
  socketMessage: 2048,
  /** Fragments of such a message. */
  socketFragments: 16,
  /** Pieces in which a fragment arrives that is not complete. */
  socketPieces: 64,
  /** Messages of a WebSocket client that wait while those of others are read; beyond that its connection is closed. */
  socketWaiting: 64,
  /** Messages that are no command, one after the other, after which a WebSocket is closed. */
  socketRefused: 32,
  /** Bytes that wait for one WebSocket client to read them; beyond that its connection is closed. */
  socketUnread: 4_194_304,
  /** Milliseconds between two pings over a WebSocket; a client that answers none is closed. */
  socketPing: 30_000,
  /** Milliseconds that a WebSocket client has to confirm that its connection is closed. */
  socketClosing: 1000,
  /** vAtoms that arrive with one stored event; more are stored as several. */
  arrivals: 100,
  /** Events stored for WebSocket clients; a client for whom one is removed before it is sent is closed with 1012. */
  events: 50_000,
  /** Milliseconds for which an event is stored; a connected client receives it within 100 if the service has little to do. */
  eventAge: 600_000,
} as const
