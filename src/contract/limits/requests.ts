/** What a request and its answer may have at most. */
export const requestLimits = {
  /** Bytes of a JSON request body. */
  body: 1_048_576,
  /** Characters of the bodies of one user's requests under way, or of one address without a user, that are taken however much others send. */
  bodiesAlways: 16_384,
  /** Nesting of a JSON body or document. */
  depth: 64,
  /** Characters of the name of a field of one, with those of all that it is in: each problem there names them. */
  fieldPath: 1024,
  /** Keys and values of a JSON body, each counted. */
  values: 40_960,
  /** The same of an operation that needs no publisher. */
  valuesOfUser: 8192,
  /** Keys of a query that are read. */
  queryKeys: 64,
  /** Entries of any one list in a request. */
  list: 1000,
  /** Records per page when a search names no limit. Spec 8. */
  page: 100,
  /** Records per page at most; `0` asks for this many. */
  pageMax: 1000,
  /** vAtoms on each page where the command line asks for all: each can come with the faces and actions of a template of its own. */
  pageOfAll: 250,
  /** Bytes of an answer that are made at a time; a longer one is sent as its client reads it. */
  answerPart: 32_768,
  /** Bytes of answers that wait for one connection to read them; beyond that it is closed. A pipelined request counts as 4,096. */
  answerUnread: 4_194_304,
  /** Milliseconds after which a connection is closed that reads nothing of the answer that waits for it. */
  answerIdle: 30_000,
  /** Nesting of parentheses in the fields that a list is asked for. */
  fieldsDepth: 8,
  /** Values of a scope. Spec 8. */
  scopeValues: 5,
  /** vAtoms, or templates, that one request may name. */
  ids: 100,
  /** Characters of a position that is given as a text with JSON in it. */
  positionText: 1000,
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
  /** Characters of the JSON of all vAtoms of one emit. */
  emitCharacters: 64_000_000,
  /** vAtoms in a folder, at any depth, with which it is moved, emptied, opened, dropped, picked up, trashed or given away, or leaves a deleted draft's vAtom from which it takes its visibility; one counts once more for each 16 KB of its JSON. */
  contents: 5000,
  /** vAtoms, with those in them, that are held for an address of a user until it is verified. */
  held: 2000,
  /** Levels of folders inside one another that one emit may create, the outermost included. */
  folders: 16,
  /** Folders around one into which vAtoms are moved. */
  foldersAround: 1000,
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
  /** Bytes of an upload that arrived and are not written yet, which each counts as while it arrives. */
  uploadUnread: 524_288,
  /** Milliseconds without a byte of an upload after which it is refused. */
  uploadIdle: 30_000,
  /** Milliseconds for which the rest of a refused upload is still read, so that the client sees the answer. */
  uploadRest: 5000,
  /** Milliseconds in which a request that is no upload must be complete. */
  requestTime: 30_000,
  /** Fields of the header of a request; one with as many or more is refused. */
  headerFields: 100,
  /** Proxies one behind the other that a request comes by; the address before them is its caller, if that of a proxy or not. */
  proxies: 32,
  /** Milliseconds in which the header of a request must be complete. */
  headerTime: 15_000,
  /** Milliseconds by which those two may be exceeded. */
  lateness: 5000,
  /** Records of a short change. One of more is long: it is made in steps. */
  fewRows: 100,
  /** Long changes that wait to be begun, of a user at an address; deletions that others write between, such as that of a user, are counted for themselves. */
  longWritesOfUser: 32,
  /** Of these, of all users at an address. */
  longWritesOfAddress: 64,
  /** Of these, in all, above which each address has one; the publishers of the service are counted for themselves. */
  longWritesWaiting: 256,
  /** Milliseconds in which requests must be answered once a service closes; long changes that have not begun then are refused at once. */
  closingTime: 3000,
  /** Characters of the JSON of a property that feeds of changes keep of a deleted record; a longer text is cut. */
  deletedProperty: 1024,
  /** Characters of the warnings in the header of an answer. */
  warnings: 4096,
  /** Warnings in the header of an answer, and those that a client takes from one. */
  warningCount: 50,
  /** Characters of the message of a warning, and of its place; longer ones are cut in the middle. */
  warningMessage: 400,
  /** Characters of a Vatom-Assumed or Vatom-Ignored header; a longer one is cut. */
  headerText: 2000,
  /** Characters of a path in a line of the log; a longer one is cut. */
  loggedPath: 300,
  /** Bytes of an answer that the command line reads, and of all that it reads at the same time. */
  answer: 268_435_456,
  /** Values in an answer that the command line reads. */
  answerValues: 8_000_000,
  /** Levels of an answer that the command line reads: those of a record, and some more. */
  answerDepth: 256,
  /** Characters of an answer that is no success which the command line reads: what refuses a request may repeat its body. */
  failure: 4_194_304,
  /** Characters of the message of a refusal that is shown, and of each of its issues; a longer one is cut. */
  refusal: 4096,
  /** Records of one list that the command line reads. */
  listed: 1_000_000,
  /** Characters of all texts in one list that the command line keeps, each value counted as 32 more. */
  listedCharacters: 536_870_912,
  /** Pages that the command line reads of one list, and folders that it reads to find what is in one. */
  pages: 10_000,
  /** Times that the command line sends a request that may be sent again after a failure; after a 429 that says when, as often as `--timeout` allows. */
  attempts: 3,
  /** Milliseconds for which the command line waits for a service that has answered before, where its connections are refused, or 408, 502, 503 or 504 is answered to what may be sent again, the time of its answers included; `--timeout` at most. */
  awayPatience: 10_000,
  /** Times that `apply` sends a change whose outcome is unknown, each further time after it has asked whether the change was made. */
  writeAttempts: 4,
  /** Milliseconds that `apply` waits in all to send a change again after a 429 that says when, beyond `--timeout`. */
  pacedPatience: 60_000,
  /** Seconds that a service may ask to wait: more is mostly a mistake of what answers, and the command line does not repeat it. */
  advisedWait: 86_400,
} as const
