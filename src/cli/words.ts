import type { Command } from 'commander'
import type { PageName } from '../docs/pages.ts'
import type { CommandLine } from './command-line.ts'
import type { Context } from './context.ts'

/** What there is of a context also where the options of a line could not be read. */
export type Surroundings = Pick<Context, 'host' | 'output'>

/** The command of a first word. */
interface Loaded {
  /** With the word behind it: a noun has that verb alone then, if it is one of its own. */
  readonly command: (context: Context, verb?: string) => Command | Promise<Command>
  /** What it does where its line is refused before it begins, and why that is. */
  readonly refused?: (line: CommandLine, surroundings: Surroundings, why: unknown) => Promise<void>
}

/** A first word of the command line. */
export interface Entry {
  /** Its line in the root help. */
  readonly summary: string
  readonly load: () => Promise<Loaded>
  /** Whether it stands for a page of the manual. */
  readonly isPage?: true
}

/** A word that stands for a page of the manual. */
const page = (name: PageName, summary: string) =>
  ({
    summary,
    load: async () => ({ command: (await import('./commands/help.ts')).pageCommand(name) }),
    isPage: true,
  }) as const

/** The first words of the command line. */
export const words = {
  init: { summary: 'write a starter catalog: begin here', load: () => import('./commands/init.ts') },
  validate: {
    summary: 'check every document of a catalog, without a service',
    load: () => import('./commands/validate.ts'),
  },
  preview: { summary: 'see how viewers draw a catalog, in a browser', load: () => import('./commands/preview.ts') },
  plan: {
    summary: 'show what a catalog of files would change on the service',
    load: () => import('./commands/plan.ts'),
  },
  apply: { summary: 'make the service match a catalog', load: () => import('./commands/apply.ts') },
  pull: { summary: 'write the records of the service to a catalog of files', load: () => import('./commands/pull.ts') },
  login: { summary: 'sign in to a service', load: () => import('./commands/login.ts') },
  logout: { summary: 'end the session', load: () => import('./commands/logout.ts') },
  whoami: { summary: 'show who is signed in, and where', load: () => import('./commands/whoami.ts') },
  auth: { summary: 'print an access token', load: () => import('./commands/auth.ts') },
  context: { summary: 'list, choose, add and remove services', load: () => import('./commands/context/index.ts') },
  profile: { summary: 'show and change your profile', load: () => import('./commands/profile/index.ts') },
  user: {
    summary: 'register users, verify addresses, reset passwords, delete who is signed in',
    load: () => import('./commands/user/index.ts'),
  },
  thread: {
    summary: 'read and write the messages of your activity',
    load: () => import('./commands/thread/index.ts'),
  },
  template: {
    summary: 'create, check, list, change and publish templates',
    load: () => import('./commands/template/index.ts'),
  },
  variation: {
    summary: 'create, check, list, change and publish variations',
    load: () => import('./commands/variation/index.ts'),
  },
  face: { summary: 'register, check, list, change and delete faces', load: () => import('./commands/face/index.ts') },
  action: {
    summary: 'register, check, list, change and delete actions',
    load: () => import('./commands/action/index.ts'),
  },
  asset: { summary: 'upload, list and delete assets', load: () => import('./commands/asset/index.ts') },
  emit: { summary: 'make vAtoms from a variation', load: () => import('./commands/emit.ts') },
  inventory: { summary: 'list your vAtoms', load: () => import('./commands/inventory.ts') },
  show: { summary: 'show vAtoms with their faces and actions', load: () => import('./commands/show.ts') },
  trash: { summary: 'trash vAtoms', load: () => import('./commands/trash.ts') },
  act: { summary: 'perform an action on a vAtom', load: () => import('./commands/act/index.ts') },
  update: { summary: 'move vAtoms into a folder or out of it', load: () => import('./commands/update.ts') },
  map: { summary: 'show what is dropped on the map', load: () => import('./commands/map.ts') },
  discover: { summary: 'search vAtoms', load: () => import('./commands/discover.ts') },
  explain: { summary: 'show what a field of a document is, or a rule', load: () => import('./commands/explain.ts') },
  schema: { summary: 'print the JSON Schema of a kind of document', load: () => import('./commands/schema.ts') },
  api: { summary: 'send any request to the service', load: () => import('./commands/api.ts') },
  serve: { summary: 'run the vAtom service on this machine', load: () => import('./commands/serve.ts') },
  console: { summary: 'look into the local service in a browser', load: () => import('./commands/console.ts') },
  snapshot: {
    summary: 'save, load, list and delete copies of the local data',
    load: () => import('./commands/snapshot/index.ts'),
  },
  reset: { summary: 'delete all data of the local service', load: () => import('./commands/reset.ts') },
  doctor: { summary: 'check this machine, the context and its session', load: () => import('./commands/doctor.ts') },
  completion: {
    summary: 'print a script that completes commands in your shell',
    load: () => import('./commands/completion.ts'),
  },
  __complete: { summary: 'print names for a completion script', load: () => import('./commands/__complete.ts') },
  catalog: page('catalog', 'files as the source of truth: plan, apply, publish, bump'),
  contexts: page('contexts', 'services, sessions, and where files are stored'),
  pipelines: page('pipelines', 'validate, plan and apply in CI'),
  service: page('service', 'vatom serve: options, chain writes, assets, snapshots'),
  containers: page('containers', 'Docker, Compose and Kubernetes; probes, metrics, signals'),
  browser: page('browser', 'the console: requests, users and vAtoms in a browser'),
  testing: page('testing', 'serve -- COMMAND, journal, clock, scenarios'),
  libraries: page('libraries', 'vatom/testing and vatom/client in JavaScript'),
  clients: page('clients', 'web, iOS and Android apps on the local service'),
  users: page('users', 'users, guests, codes, passwords and messages'),
  rules: page('rules', 'every check of a document, and how to switch it off'),
  faces: page('faces', 'how an app chooses a face; the native faces'),
  reactors: page('reactors', 'what actions do; your own action handlers'),
  operations: page('operations', 'every operation of the API, and every error'),
  specification: page('specification', 'sections that messages refer to, and assumptions'),
  limits: page('limits', 'sizes, lengths, counts and times'),
  robustness: page('robustness', 'kills, races, full disks: what was measured, and how'),
  environment: page('environment', 'environment variables'),
  'exit-codes': page('exit-codes', 'what exit codes mean'),
  options: page('options', 'options of every command'),
  formatting: page('formatting', 'output for people and for programs'),
  contributing: page('contributing', 'how the code is laid out, and how to change it'),
  changelog: page('changelog', 'what changed in each version'),
} as const satisfies Readonly<Record<string, Entry>>

export type Word = keyof typeof words

export const isWord = (text: string | undefined): text is Word => text !== undefined && Object.hasOwn(words, text)

/** Words that stand for pages of the manual. */
export const topics = (Object.keys(words) as Word[]).filter((word) => 'isPage' in words[word])
/** The page about a command and its verbs, where there is one. */
export const pageAbout: Readonly<Partial<Record<string, Word>>> = {
  init: 'catalog',
  validate: 'rules',
  preview: 'faces',
  plan: 'catalog',
  apply: 'catalog',
  pull: 'catalog',
  login: 'contexts',
  logout: 'contexts',
  whoami: 'contexts',
  auth: 'contexts',
  context: 'contexts',
  profile: 'users',
  user: 'users',
  thread: 'users',
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
  update: 'clients',
  map: 'clients',
  discover: 'catalog',
  explain: 'specification',
  schema: 'catalog',
  api: 'contexts',
  serve: 'service',
  console: 'browser',
  snapshot: 'service',
  reset: 'service',
  doctor: 'contexts',
  completion: 'contexts',
}
/** Words for programs, of which help says nothing. */
export const hidden: readonly Word[] = ['__complete']

/** The words in the order of the root help, under the heads that stand there. */
export const groups: Readonly<Record<string, readonly Word[]>> = {
  'Catalogs:': ['init', 'validate', 'plan', 'preview', 'apply', 'pull'],
  'Documents:': ['template', 'variation', 'face', 'action', 'asset'],
  'Objects:': ['emit', 'inventory', 'show', 'act', 'update', 'trash', 'discover', 'map'],
  'Services and users:': ['login', 'logout', 'whoami', 'auth', 'context', 'profile', 'user', 'thread'],
  'On this machine:': ['serve', 'console', 'snapshot', 'reset', 'doctor'],
  'Tools:': ['explain', 'schema', 'api', 'completion', ...hidden],
  'Manual pages:': topics,
}

/** The commands behind every word. */
export const loadCommands = (context: Context): Promise<Command[]> =>
  Promise.all(Object.values(words).map(async ({ load }) => (await load()).command(context)))
