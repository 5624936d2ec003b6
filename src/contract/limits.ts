/** Every limit by subject, each with its unit; `vatom help limits` shows them as tables. */
export const limitGroups = {
  /** What files of documents and the documents in them may have at most, and what is reported of them. */
  documents: {
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
    /** Bytes of the JSON text of a document's vatom section, or of a whole face or action; a page holds up to 1000 of them. */
    section: 65_536,
    /** Bytes of the JSON text of an eth section. */
    eth: 8192,
    /** Characters of a template, variation or resource name; the specification sets none. */
    name: 256,
    /** Characters of an action handler's address. */
    url: 2048,
    /** Actions that the policy of one names before it, and after it. */
    policyActions: 16,
    /** Faces of a template, all of which come with every page of a search that has a vAtom of it. */
    faces: 100,
    /** Actions of a template, which come with a search likewise. */
    actions: 100,
    /** vAtoms of a draft variation. */
    draftVatoms: 10,
    /** Faces of a template in a catalog up to which each is compared with the others. */
    facesCompared: 64,
    /** Addresses requested in one run of `validate --probe`. */
    probes: 500,
    /** Milliseconds until an address that does not answer is given up. */
    probeTime: 10_000,
    /** Milliseconds for all addresses of one run. */
    probesTime: 120_000,
    /** Redirects that `--probe` follows from one address. */
    redirects: 5,
    /** Bytes of a resource above which `--probe` warns that phones wait for it. */
    probedSize: 10_485_760,
  },
  /** What a request and its answer may have at most. */
  requests: {
    /** Bytes of a JSON request body. */
    body: 1_048_576,
    /** Nesting of a JSON body or document. */
    depth: 64,
    /** Entries of any one list in a request. */
    list: 1000,
    /** Records per page when a search names no limit. Spec 8. */
    page: 100,
    /** Records per page at most; `0` asks for this many. */
    pageMax: 1000,
    /** Nesting of parentheses in the fields that a list is asked for. */
    fieldsDepth: 8,
    /** Values of a scope. Spec 8. */
    scopeValues: 5,
    /** Comparisons of one search, those of the containers in it counted. */
    comparisons: 2000,
    /** vAtoms that one request may name, to get or to move them, and templates likewise. */
    ids: 100,
    /** vAtoms on a page of an inventory. */
    inventory: 100,
    /** vAtoms, or groups of them, that a search of the map answers. */
    geo: 10_000,
    /** Characters of the geohash that groups on the map share, when a search names no precision. */
    geoPrecision: 3,
    /** Characters of the geohash that groups on the map share at most. */
    geoPrecisionMax: 12,
    /** vAtoms per emit. */
    emit: 10_000,
    /** Folders that an emitted folder may have in one another, itself counted. */
    folders: 16,
    /** Characters of a message to a user. */
    message: 4096,
    /** Bytes of an avatar. */
    avatar: 5_242_880,
    /** Bytes of an uploaded asset. */
    asset: 67_108_864,
    /** Assets of one upload. */
    assets: 20,
    /** Parts of an upload, with those that are no files. */
    uploadParts: 10_000,
    /** Bytes of an upload besides its files. */
    uploadOverhead: 1_048_576,
    /** Milliseconds without a byte of an upload after which it is refused. */
    uploadIdle: 30_000,
    /** Milliseconds that a client may still send an upload that was answered already, so that it reads the answer. */
    uploadRest: 5000,
    /** Milliseconds in which a request that is no upload must be complete. */
    requestTime: 30_000,
    /** Milliseconds in which the header of a request must be complete. */
    headerTime: 15_000,
    /** Milliseconds in which requests must be answered once a service closes. */
    closingTime: 3000,
    /** Characters of the warnings in the header of an answer. */
    warnings: 4096,
    /** Warnings in the header of an answer, and those that a client takes from one. */
    warningCount: 50,
    /** Characters of the message of a warning; a longer one is cut. */
    warningMessage: 400,
    /** Characters of a Vatom-Assumed or Vatom-Ignored header; a longer one is cut. */
    headerText: 2000,
    /** Characters of a path in a line of the log; a longer one is cut. */
    loggedPath: 300,
    /** Bytes of an answer that the command line reads. */
    answer: 268_435_456,
    /** Times that the command line sends a request that may be sent again. */
    attempts: 3,
    /** Calls a minute from one address of an operation that declares `rateLimited`. */
    callsPerMinute: 120,
  },
  /** Names, passwords and codes of users: how long, how many, and how often a wrong one may be tried. */
  'sign-in': {
    /** Characters of first_name, last_name and password. Spec 8. */
    text: 64,
    /** Characters of a publisher's domain name. */
    domainName: 253,
    /** User tokens of one user, a guest id beside them. */
    userTokens: 10,
    /** Wrong passwords in a row after which an account is locked. */
    loginAttempts: 5,
    /** Seconds for which an account stays locked. */
    loginLockSeconds: 300,
    /** Logins of one account that wait for those before them. */
    loginsWaiting: 64,
    /** Passwords hashed at once: each takes 128 MB of memory and a thread. */
    passwordsAtOnce: 2,
    /** Passwords that wait to be hashed. */
    passwordsWaiting: 64,
    /** Digits of a code or pin. */
    codeDigits: 6,
    /** Wrong codes after which the right one is refused, too. */
    codeAttempts: 5,
    /** Seconds after which the wrong codes of a user token are counted anew, if a new one is asked for. */
    codeTriesSeconds: 300,
  },
  /** Seconds for which tokens, pins and codes are valid. */
  'token-lifetimes': {
    /** Access token lifetime in seconds. Spec 8. */
    accessTokenSeconds: 300,
    /** Refresh token lifetime in seconds (30 days). */
    refreshTokenSeconds: 2_592_000,
    /** Seconds that a pin which stands in for a password is good for. */
    pinSeconds: 900,
    /** Seconds that a code which verifies a user token is good for. */
    verificationSeconds: 86_400,
  },
  /** How long actions may take, and how many may run or wait at once. */
  'action-runs': {
    /** Milliseconds an action may take at most. */
    actionTimeout: 60_000,
    /** Actions that are waited for and call handlers, at once. */
    handledAtOnce: 256,
    /** Actions that are not waited for, at once. */
    laterAtOnce: 32,
    /** Actions that are not waited for and have not started. */
    laterWaiting: 1000,
    /** Milliseconds after which actions that are not waited for are aborted, once the service closes. */
    laterGrace: 5000,
    /** Bytes of what an action handler answers. */
    handlerAnswer: 262_144,
  },
  /** WebSocket connections, and the events that are stored for them. */
  websockets: {
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
    /** vAtoms that arrive with one stored event; more are stored as several. */
    arrivals: 100,
    /** Events stored for WebSocket clients. */
    events: 10_000,
    /** Milliseconds for which an event is stored; a connected client receives it within 100. */
    eventAge: 600_000,
  },
  /** Dry runs of several requests. */
  'dry-runs': {
    /** Changes of one dry run; what comes after is not predicted. */
    dryRunChanges: 10_000,
    /** Bytes of the bodies of one dry run's changes. */
    dryRunBodies: 16_777_216,
    /** Earlier changes that each request of a dry run carries out again; more are made in a copy of the database. */
    dryRunRepeated: 20,
    /** Bytes of a database that is copied for a dry run. */
    dryRunCopy: 33_554_432,
    /** Milliseconds without a request after which a dry run's copy is removed, and others may replace the dry run. */
    dryRunIdle: 30_000,
    /** Dry runs that a user, or an address without one, has at once; a further one replaces their oldest. */
    dryRunsOfCaller: 8,
    /** Dry runs that all callers have at once; further ones are refused. */
    dryRuns: 32,
    /** Milliseconds in which the earlier changes of a dry run must be carried out again. */
    dryRunTime: 2000,
  },
  /** What a local service stores for those who test against it. */
  testing: {
    /** Messages stored in the outbox; older ones are removed. */
    outbox: 1000,
    /** Requests in the journal; older ones are removed. */
    journal: 1000,
    /** Characters of the path and query of a request in the journal. */
    journalUrl: 2000,
  },
} as const

/** What the service and the command line take at most. */
export const limits = {
  ...limitGroups.documents,
  ...limitGroups.requests,
  ...limitGroups['sign-in'],
  ...limitGroups['token-lifetimes'],
  ...limitGroups['action-runs'],
  ...limitGroups.websockets,
  ...limitGroups['dry-runs'],
  ...limitGroups.testing,
} as const
