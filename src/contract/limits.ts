/** What the service and the command line take at most, with its unit. */
export const limits = {
  /** Characters of first_name, last_name and password. Spec 8. */
  text: 64,
  /** Characters of a template, variation or resource name; the specification sets none. */
  name: 256,
  /** Records per page when a search names no limit. Spec 8. */
  page: 100,
  /** Records per page at most; `0` asks for this many. */
  pageMax: 1000,
  /** Values of a scope. Spec 8. */
  scopeValues: 5,
  /** Access token lifetime in seconds. Spec 8. */
  accessTokenSeconds: 300,
  /** Refresh token lifetime in seconds (30 days). */
  refreshTokenSeconds: 2_592_000,
  /** Wrong passwords in a row after which an account is locked. */
  loginAttempts: 5,
  /** Seconds for which an account stays locked. */
  loginLockSeconds: 300,
  /** Logins of one account that wait for those before them. */
  loginsWaiting: 64,
  /** Calls a minute from one address of an operation that declares `rateLimited`. */
  callsPerMinute: 120,
  /** User tokens of one user, a guest id beside them. */
  userTokens: 10,
  /** Wrong codes after which the right one is refused, too. */
  codeAttempts: 5,
  /** Seconds after which the wrong codes of a user token are counted anew, if a new one is asked for. */
  codeTriesSeconds: 300,
  /** Seconds that a code which verifies a user token is good for. */
  verificationSeconds: 86_400,
  /** Seconds that a pin which stands in for a password is good for. */
  pinSeconds: 900,
  /** Bytes of an avatar. */
  avatar: 5_242_880,
  /** vAtoms per emit. */
  emit: 10_000,
  /** vAtoms of a draft variation. */
  draftVatoms: 10,
  /** vAtoms that one request may name, to get or to move them, and templates likewise. */
  ids: 100,
  /** vAtoms on a page of an inventory. */
  inventory: 100,
  /** vAtoms, or groups of them, that a search of the map answers. */
  geo: 10_000,
  /** Faces of a template, all of which come with every page of a search that has a vAtom of it. */
  faces: 100,
  /** Actions of a template, which come with a search likewise. */
  actions: 100,
  /** Folders that an emitted folder may have in one another, itself counted. */
  folders: 16,
  /** Comparisons of one search, those of the containers in it counted. */
  comparisons: 2000,
  /** Characters of a message to a user. */
  message: 4096,
  /** Characters of an action handler's address. */
  url: 2048,
  /** Milliseconds an action may take at most. */
  actionTimeout: 60_000,
  /** Actions that the policy of one names before it, and after it. */
  policyActions: 16,
  /** Actions that are waited for and call handlers, at once. */
  handledAtOnce: 256,
  /** Actions that are not waited for, at once. */
  laterAtOnce: 32,
  /** Actions that are not waited for and have not started. */
  laterWaiting: 1000,
  /** Bytes of what an action handler answers. */
  handlerAnswer: 262_144,
  /** WebSocket connections at once. */
  sockets: 1000,
  /** WebSocket connections of one user at once. */
  socketsOfUser: 20,
  /** Bytes of a message that a client sends over a WebSocket. */
  socketMessage: 16_384,
  /** Bytes that wait for one WebSocket client to read them; beyond that its connection is closed. */
  socketUnread: 4_194_304,
  /** Bytes that wait for all WebSocket clients; beyond that the slowest are closed. */
  socketsUnread: 67_108_864,
  /** Milliseconds between two pings over a WebSocket; a client that answers none is closed. */
  socketPing: 30_000,
  /** Events stored for WebSocket clients. */
  events: 10_000,
  /** Milliseconds for which an event is stored; a connected client receives it within 100. */
  eventAge: 600_000,
  /** Messages stored in the outbox; older ones are removed. */
  outbox: 1000,
  /** Bytes of an uploaded asset. */
  asset: 67_108_864,
  /** Assets of one upload. */
  assets: 20,
  /** Bytes of a JSON request body. */
  body: 1_048_576,
  /** Bytes of the JSON text of a document's vatom section, or of a whole face or action; a page holds up to 1000 of them. */
  section: 65_536,
  /** Bytes of the JSON text of an eth section. */
  eth: 8192,
  /** Nesting of a JSON body or document. */
  depth: 64,
  /** Characters of the warnings in the header of an answer. */
  warnings: 4096,
  /** Bytes of a file of documents, or of standard input. */
  file: 2_097_152,
  /** Documents in one file. */
  documents: 10_000,
  /** Values that YAML aliases stand for in one document. */
  aliased: 10_000,
  /** Problems reported of one document of a file. */
  problems: 200,
  /** Problems shown as text in one run. */
  problemsShown: 200,
  /** Problems reported of one document or request. */
  issues: 100,
  /** Entries of any one list in a request. */
  list: 1000,
  /** Changes of one dry run. */
  dryRunChanges: 1000,
  /** Bytes of the bodies of one dry run's changes. */
  dryRunBodies: 4_194_304,
  /** Dry runs of several requests that the service remembers; the oldest is dropped. */
  dryRuns: 8,
  /** Milliseconds in which the earlier changes of a dry run must be carried out again. */
  dryRunTime: 2000,
} as const
