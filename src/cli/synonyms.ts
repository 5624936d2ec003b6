/** First words that people bring from other tools and that can mean only one of ours. */
const wordSynonyms = {
  init: ['scaffold'],
  validate: ['check', 'lint'],
  preview: ['render', 'view', 'open'],
  plan: ['diff'],
  apply: ['deploy', 'push'],
  login: ['signin', 'sign-in'],
  logout: ['signout', 'sign-out'],
  template: ['templates'],
  variation: ['variations'],
  face: ['faces'],
  action: ['actions'],
  asset: ['assets'],
  context: ['contexts', 'ctx'],
  user: ['users'],
  snapshot: ['snapshots'],
  thread: ['threads', 'message', 'messages'],
  '--version': ['version'],
} as const

/** Verbs that people bring from other tools, by what they are called here. */
const verbSynonyms: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  get: ['show', 'view', 'describe'],
  show: ['get', 'view'],
  create: ['new', 'add'],
  register: ['create', 'new', 'add'],
  upload: ['create', 'new', 'add'],
  save: ['create', 'new'],
  add: ['create', 'new'],
  load: ['restore'],
  use: ['switch'],
  set: ['update', 'edit'],
  validate: ['check', 'lint'],
  delete: ['rm', 'del', 'remove', 'destroy'],
  remove: ['rm', 'del', 'delete'],
  token: ['tokens'],
  handler: ['handlers'],
}

const wordOf = new Map<string, keyof typeof wordSynonyms>(
  Object.entries(wordSynonyms).flatMap(([word, others]) =>
    others.map((other) => [other, word as keyof typeof wordSynonyms] as const),
  ),
)

/** What a first word of another tool is called here; any other text as it is. */
export const canonicalWord = (text: string): string => wordOf.get(text) ?? text

/** What else a verb can be called. */
export const verbAliases = (verb: string): readonly string[] => verbSynonyms[verb] ?? []

/** What a verb is called here; undefined for a text that is none, here or in other tools. */
const verbOf = (text: string): string | undefined =>
  Object.keys(verbSynonyms).find((verb) => verb === text || verbSynonyms[verb]?.includes(text))

export const isVerb = (text: string): boolean => verbOf(text) !== undefined

/** What a verb of another tool is called here, of which there may be several words: the first; any other text as it is. */
export const canonicalVerb = (text: string): string => verbOf(text) ?? text
