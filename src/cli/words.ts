/**
 * First words of the command line: the bundle that answers each and its line in the root help, where they
 * stand in this order: what a newcomer begins with is first. Pure data.
 */
export const words = {
  init: { family: 'init', summary: 'write a starter catalog: begin here' },
  validate: { family: 'workflow', summary: 'check every document of a catalog, without a service' },
  plan: { family: 'workflow', summary: 'show what a catalog of files would change on the service' },
  apply: { family: 'workflow', summary: 'bring the service to what the catalog says' },
  pull: { family: 'pull', summary: 'write what the service has as a catalog of files' },
  login: { family: 'account', summary: 'sign in to a service' },
  logout: { family: 'account', summary: 'end the session' },
  whoami: { family: 'account', summary: 'show who is signed in, and where' },
  auth: { family: 'account', summary: 'print a fresh access token' },
  context: { family: 'account', summary: 'list, choose, add and remove services' },
  profile: { family: 'account', summary: 'show and change your profile' },
  template: { family: 'template', summary: 'create, check, list, change and publish templates' },
  variation: { family: 'variation', summary: 'create, check, list, change and publish variations' },
  face: { family: 'face', summary: 'register, check, list, change and delete faces' },
  action: { family: 'action', summary: 'register, check, list, change and delete actions' },
  asset: { family: 'asset', summary: 'upload, list and delete assets' },
  emit: { family: 'emit', summary: 'make vAtoms from a variation' },
  inventory: { family: 'vatom', summary: 'list your vAtoms' },
  show: { family: 'vatom', summary: 'show vAtoms with their faces and actions' },
  trash: { family: 'vatom', summary: 'trash vAtoms' },
  act: { family: 'act', summary: 'perform an action on a vAtom' },
  discover: { family: 'discover', summary: 'search vAtoms' },
  explain: { family: 'reference', summary: 'tell what a field of a document is' },
  schema: { family: 'reference', summary: 'print the JSON Schema of a kind of document' },
  api: { family: 'api', summary: 'send any request to the service' },
  serve: { family: 'serve', summary: 'run the vAtom service on this machine' },
  snapshot: { family: 'snapshot', summary: 'save, restore, list and delete copies of it' },
  reset: { family: 'snapshot', summary: 'empty the local service' },
  doctor: { family: 'doctor', summary: 'check this machine, the context and its session' },
  completion: { family: 'completion', summary: 'print a script that completes commands in your shell' },
  __complete: { family: 'complete', summary: 'names for such a script' },
  catalog: { family: 'help', summary: 'files as the truth: plan, apply, publish, next versions' },
  contexts: { family: 'help', summary: 'services, sessions, and where files are stored' },
  pipelines: { family: 'help', summary: 'validate, plan and apply in CI' },
  service: { family: 'help', summary: 'vatom serve: options, chain writes, assets, snapshots' },
  testing: { family: 'help', summary: 'serve -- COMMAND, journal, clock, scenarios' },
  clients: { family: 'help', summary: 'web, iOS and Android apps on the local service' },
  rules: { family: 'help', summary: 'every check of a document, and how to switch it off' },
  faces: { family: 'help', summary: 'how an app chooses a face; the native faces' },
  reactors: { family: 'help', summary: 'what actions do; handlers of your own' },
  operations: { family: 'help', summary: 'every operation of the API, and every error' },
  specification: { family: 'help', summary: 'what spec: 2.4 refers to, and what is assumed' },
  limits: { family: 'help', summary: 'sizes, lengths, counts and times' },
  environment: { family: 'help', summary: 'environment variables' },
  'exit-codes': { family: 'help', summary: 'what exit codes mean' },
  formatting: { family: 'help', summary: 'output for people and for programs' },
  contributing: { family: 'help', summary: 'how the code is laid out, and how to change it' },
  changelog: { family: 'help', summary: 'what changed in each version' },
} as const satisfies Record<string, { family: string; summary: string }>

export type Word = keyof typeof words
export type FamilyName = (typeof words)[Word]['family']

/** Words that stand for pages of the manual. */
export const topics = (Object.keys(words) as Word[]).filter((word) => words[word].family === 'help')
/** The page about a command and its verbs, where there is one. */
export const pageAbout: Readonly<Partial<Record<string, Word>>> = {
  init: 'catalog',
  validate: 'rules',
  plan: 'catalog',
  apply: 'catalog',
  pull: 'catalog',
  login: 'contexts',
  logout: 'contexts',
  whoami: 'contexts',
  auth: 'contexts',
  context: 'contexts',
  profile: 'contexts',
  template: 'catalog',
  variation: 'catalog',
  face: 'faces',
  action: 'reactors',
  asset: 'catalog',
  emit: 'catalog',
  inventory: 'clients',
  show: 'clients',
  trash: 'clients',
  act: 'reactors',
  discover: 'catalog',
  explain: 'specification',
  schema: 'catalog',
  api: 'contexts',
  serve: 'service',
  snapshot: 'service',
  reset: 'service',
  doctor: 'contexts',
  completion: 'contexts',
}
/** Words for programs, of which help says nothing. */
export const hidden: readonly Word[] = ['__complete']

/** Global options that take a value as the next word. */
export const valueOptions: readonly string[] = ['--context', '--base-url', '--app-id', '--timeout']

/** The first word that is no global option and no value of one; `help WORD` means WORD. */
export function firstWord(argv: readonly string[]): string | undefined {
  const operands = argv.filter((word, index) => !word.startsWith('-') && !valueOptions.includes(argv[index - 1] ?? ''))
  return operands[0] === 'help' ? operands[1] : operands[0]
}

/** The family that answers a command line; undefined for the root itself and for words nobody knows. */
export function familyOf(argv: readonly string[]): FamilyName | undefined {
  const word = firstWord(argv)
  return word !== undefined && Object.hasOwn(words, word) ? words[word as Word].family : undefined
}
