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
  environment: { family: 'help', summary: 'variables that are read' },
  'exit-codes': { family: 'help', summary: 'what exit codes mean' },
  formatting: { family: 'help', summary: 'what is printed where, for people and programs' },
} as const satisfies Record<string, { family: string; summary: string }>

export type Word = keyof typeof words
export type FamilyName = (typeof words)[Word]['family']

/** Words that stand for pages of help. */
export const topics: readonly Word[] = ['environment', 'exit-codes', 'formatting']
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
