import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { standardActions } from '../../contract/kinds/standard-actions.ts'
import { didYouMean } from '../../contract/schema/suggest.ts'
import { kinds } from '../../contract/values.ts'
import type { CommandLine } from '../command-line.ts'
import { exampleOf } from '../commands/act/inputs.ts'
import type { Context } from '../context.ts'
import { titleSearch } from '../discover/in-titles.ts'
import { operandWord, shellLine, shellWord } from '../io/text.ts'
import { canonicalVerb, canonicalWord, isVerb } from '../synonyms.ts'
import { hidden, isWord, loadCommands } from '../words.ts'
import { named, pathOf, repeatedFlags } from './command-path.ts'
import { flagsFor } from './excess-arguments.ts'
import { type Failure, usage } from './failure.ts'

/** First words of which no hint says that they may be meant: they delete. */
const destructive: readonly string[] = ['reset', 'trash']

const searching = `in titles: ${titleSearch('{TEXT}')}; in names of templates, with upper and lower case as they have it: vatom discover --filter 'template ~ {TEXT}'`

const transfer = 'vatom act Transfer {ID} -d new.owner.email={EMAIL}'

const copying = 'for a vAtom: vatom act Clone {ID} -d new.owner.email={EMAIL}'

const moving = `into a folder: vatom update {ID} --folder FOLDER; to somebody: ${transfer}`

const unpublishing = 'what is published stays published; for its next version: vatom template bump NAME PATH'

const stopping = 'to stop vatom serve: Ctrl-C where it runs'

const renaming =
  'names cannot change: write the new one into each file that has the old one, then vatom apply PATH creates it; vatom plan PATH --prune lists the drafts of the old name; for the next version of a template: vatom template bump'

/** What to run instead of words of other tools; `{NAME}` is the first argument, where there is one, `{EMAIL}` an address. */
const instead: ReadonlyMap<string, string> = new Map(
  Object.entries({
    backup: 'vatom snapshot save {NAME}',
    burn: 'for a vAtom: vatom trash {ID}',
    ci: 'vatom help pipelines',
    commit: 'vatom apply {PATH}',
    config: 'to list contexts: vatom context list; to choose one: vatom context use NAME',
    container: 'for the vAtoms in one: vatom inventory --folder {ID}; for Docker: vatom help containers',
    copy: copying,
    cp: copying,
    create: 'for all documents of a catalog: vatom apply {PATH}',
    delete: 'for a vAtom: vatom trash {ID}',
    dev: 'vatom serve',
    docs: 'vatom help',
    down: stopping,
    drafts: 'to list what there is, drafts included: vatom template list, vatom variation list',
    edit: 'for a template: vatom template get {NAME} > template.yaml; after the change: vatom template update template.yaml',
    env: 'vatom help environment',
    export: 'for files: vatom pull {FOLDER}; for a copy of the local data: vatom snapshot save {NAME}',
    find: searching,
    fix: 'vatom validate {PATH} --fix',
    fmt: 'to correct what can be corrected: vatom validate {PATH} --fix',
    format: 'to correct what can be corrected: vatom validate {PATH} --fix',
    folder:
      'for what is in one: vatom inventory --folder {ID}; to move a vAtom into one: vatom update ID --folder FOLDER',
    geo: 'for vAtoms in an area: vatom map; to put one there: vatom act Drop {ID}',
    get: 'for a vAtom: vatom show {ID}',
    github: 'vatom help pipelines',
    gitlab: 'vatom help pipelines',
    give: transfer,
    guest: 'vatom login --guest',
    health: 'vatom doctor',
    import:
      'from a service to files: vatom pull {FOLDER}; from files to a service: vatom apply {PATH}; for a copy of the local data: vatom snapshot load {NAME}',
    invite: `to make somebody a user: vatom user register --email {EMAIL}; to give them a vAtom: ${transfer}`,
    install: 'for a catalog on a service: vatom apply {PATH}; for completion in a shell: vatom completion SHELL',
    issue: 'vatom emit {VARIATION}',
    journal: 'vatom help testing',
    listen:
      'for requests: while vatom serve runs, it prints each; for what actions call: vatom action handler register --reactor REACTOR --url URL; for events of vAtoms: vatom help clients',
    list: 'for your vAtoms: vatom inventory',
    log: 'for requests: vatom api GET __vatom/journal; for copies of the local data: vatom snapshot list',
    logs: 'while vatom serve runs, it prints each request; to list them: vatom api GET __vatom/journal',
    history: 'for copies of the local data: vatom snapshot list; for what changes: vatom plan {PATH}',
    man: 'vatom help',
    manual: 'vatom help',
    me: 'vatom profile get',
    merge: 'vatom act Combine {ID} -d child.id=ID',
    mint: 'vatom emit {VARIATION}',
    move: moving,
    mv: moving,
    new: 'for a new catalog: vatom init {FOLDER}',
    passwd: 'vatom profile set --password-stdin',
    ping: 'vatom doctor',
    prune: 'to see what is in no file any more: vatom plan {PATH} --prune; to delete it: vatom apply {PATH} --prune',
    publish: 'for documents of a catalog: vatom apply {CATALOG} --publish',
    register: 'for a user: vatom user register',
    rename: renaming,
    rollback: 'to a copy of the local data: vatom snapshot load {NAME}',
    run: 'vatom serve',
    search: searching,
    seed: 'vatom serve --seed {PATH}',
    send: transfer,
    share: transfer,
    outbox: 'vatom api GET __vatom/outbox',
    signup: 'vatom user register',
    start: 'vatom serve',
    stop: stopping,
    status:
      'for what differs from files: vatom plan {PATH}; for who is signed in: vatom whoami; for faults: vatom doctor',
    sync: 'from files to a service: vatom apply {PATH}; from a service to files: vatom pull {FOLDER}',
    unpublish: unpublishing,
    up: 'vatom serve',
    undo: 'to a copy of the local data: vatom snapshot load {NAME}',
    verify: 'for an e-mail address or a phone number: vatom user token verify {TOKEN}',
    watch: 'for how vAtoms look while files change: vatom preview {PATH}',
    test: 'vatom serve --seed {PATH} -- COMMAND',
    ...Object.fromEntries(
      standardActions.map(({ name, inputs }) => [
        name.toLowerCase(),
        ['vatom act', name, '{ID}', ...inputs.flatMap(({ required, keys }) => (required ? exampleOf(keys) : []))].join(
          ' ',
        ),
      ]),
    ),
    transfer,
  }),
)

/** The same for verbs of a noun. */
const insteadInNoun: ReadonlyMap<string, string> = new Map([
  ['asset get', 'for their names, types and addresses: vatom asset list; for a file: curl -O URL'],
  ['asset download', 'for a file: curl -O URL; for the addresses: vatom asset list'],
  ['auth get', 'vatom whoami'],
  ['auth list', 'vatom context list'],
  ['auth refresh', 'vatom auth token --refresh'],
  ['auth status', 'vatom whoami'],
  ['context current', 'vatom whoami'],
  ['context login', 'vatom login --context {NAME}'],
  [
    'context set',
    'to choose one: vatom context use NAME; to change its address: vatom login --context NAME --base-url URL --app-id ID',
  ],
  ['context get', 'for the current one: vatom whoami; for all: vatom context list'],
  [
    'context rename',
    'names cannot change: sign in under the new one, with vatom login --context NEW --base-url URL --app-id ID, then vatom context remove OLD',
  ],
  ['handler get', 'vatom action handler list'],
  [
    'handler set',
    'an address cannot change: vatom action handler delete REACTOR, then vatom action handler register --reactor REACTOR --url URL',
  ],
  ['snapshot apply', 'vatom snapshot load {NAME}'],
  ['snapshot get', 'vatom snapshot list'],
  [
    'snapshot diff',
    'snapshots are not compared; for what each has: vatom snapshot list; for what differs from files: vatom plan PATH',
  ],
  ...kinds.map((kind): [string, string] => [
    `${kind} history`,
    'earlier states are not stored; for what differs from files: vatom plan PATH',
  ]),
  ['template pull', 'vatom pull --template {NAME}'],
  ['template unpublish', unpublishing],
  ['variation unpublish', unpublishing],
  [
    'user list',
    'the page of a vatom serve lists them: vatom console; for who is signed in: vatom whoami; for one of them: vatom user get ID; for your addresses: vatom user token list',
  ],
  ...['messages', 'message', 'read'].map((word): [string, string] => [`thread ${word}`, 'vatom thread show {USER}']),
  ['token get', 'vatom user token list'],
  ['user me', 'vatom profile get'],
  ['user set', 'vatom profile set'],
  ...kinds.map((kind): [string, string] => [
    `${kind} set`,
    `to change one: vatom ${kind} get ${kind === 'face' ? 'ID' : 'NAME'} > ${kind}.yaml; after the change: vatom ${kind} update ${kind}.yaml`,
  ]),
  ['template rename', renaming],
  ['variation rename', renaming],
  ['action rename', renaming],
  ['face rename', 'faces have no names; to change one: vatom face update face.yaml'],
])

const accounts: readonly string[] = ['auth', 'context', 'profile', 'user']

/** The nouns for which a first word does what it would do as a verb of theirs. */
const sameForNouns: ReadonlyMap<string, readonly string[]> = new Map([
  ...['apply', 'plan', 'preview', 'validate'].map((word) => [word, kinds] as const),
  ['emit', ['template', 'variation']],
  ['login', accounts],
  ['logout', accounts],
  ['whoami', accounts],
])

/** What to run instead of verbs of `vatom`, which is a noun in other tools. */
const insteadOfVatom: ReadonlyMap<string, string> = new Map([
  ['create', 'vatom emit {VARIATION}'],
  ['delete', 'vatom trash {ID}'],
  ['get', 'vatom show {ID}'],
  ['list', 'vatom inventory'],
])

/** The usage failure for a command that does not exist: what the person may have meant, as whole commands. */
export async function unknownCommand(line: CommandLine, context: Context): Promise<Failure> {
  const { operands } = line
  const commands = await loadCommands(context)
  const path = pathOf(commands, operands)
  const [unknown = '', ...rest] = operands.slice(path.length)
  const noun = path.at(-1)
  const files = rest.filter((word) => isFile(word, context.host.cwd))
  const given = { rest, files, line, cwd: context.host.cwd }
  const hint = noun ? hintInNoun(noun, unknown, given, commands) : hintAtRoot(unknown, given, commands)
  const help = ['vatom', ...path.map((command) => command.name()), '--help'].join(' ')
  return usage(`unknown command '${unknown}'`, hint ?? `to see what there is: ${help}`)
}

/** The words behind an unknown command, and which of them are files or folders. */
interface Given {
  readonly rest: readonly string[]
  readonly files: readonly string[]
  readonly line: CommandLine
  readonly cwd: string
}

const isFile = (word: string, cwd: string) => /[/\\]|\.(ya?ml|json)$/i.test(word) || existsSync(resolve(cwd, word))

/** Commands whose words are files and folders, not names. */
const ofFiles: readonly string[] = ['apply', 'plan', 'preview', 'validate']

/** A verb that is like the unknown one, or a first word that is it: `variation emit NAME` is `emit NAME`. */
function hintInNoun(noun: Command, unknown: string, given: Given, commands: readonly Command[]): string | undefined {
  const other = insteadInNoun.get(`${noun.name()} ${canonicalVerb(unknown)}`)
  if (other !== undefined) return other.startsWith('vatom ') ? asked([filled(other, given)], given) : other
  const word = canonicalWord(unknown)
  const same = sameForNouns.get(word)?.includes(noun.name()) && named(word, commands)
  if (same) return asked([withWords(same, given)], given)
  return didYouMean(
    unknown,
    noun.commands.map((verb) => verb.name()),
  )
}

/** How to delete what a file describes, or some files of a folder. */
function deletionHint(path: string, cwd: string): string {
  const isFolder = statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true
  const [what, them, folder] = isFolder ? ['files in it', 'them', path] : ['the file', 'it', dirname(path)]
  return `delete ${what}; to see what is deleted with ${them}: vatom plan ${operandWord(folder)} --prune; a template stays: vatom template delete NAME`
}

/** The verb behind its noun (`template list` for `list templates`), or each noun that has it; else what the table says. */
function hintAtRoot(unknown: string, given: Given, commands: readonly Command[]): string | undefined {
  const { rest, files } = given
  const [first = '', ...others] = rest
  const isList = unknown === 'get' && first.endsWith('s') && others.length === 0
  if (isVatom(first)) return hintForVatoms(isList ? 'list' : unknown, { ...given, rest: others }, commands)
  if (isVatom(unknown)) return hintForVatoms(first, { ...given, rest: others }, commands)
  if (files.includes(first) && canonicalVerb(unknown) === 'delete') return deletionHint(first, given.cwd)
  const noun = named(canonicalWord(first), commands)
  const verb = noun && named(unknown, noun.commands)
  const list = noun && unknown === 'get' && first !== noun.name() && others.length === 0 && named('list', noun.commands)
  if (noun && verb) return asked([whole(noun, list || verb, others)], given)

  const nouns = commands.filter(({ commands }) => named(unknown, commands))
  const ofKinds = nouns.filter((one) => isKind(one.name()))
  const ofOthers = instead.has(unknown) ? nouns.filter((one) => hasVerb(one, unknown)) : nouns
  const verbs = (ofKinds.length > 0 ? ofKinds : ofOthers).flatMap((one) => {
    const found = named(unknown, one.commands)
    return found && takes(found, given) ? [whole(one, found, rest)] : []
  })
  const canonical = nouns.flatMap(({ commands }) => named(unknown, commands)?.name() ?? [])
  const more = [unknown, ...canonical].map((word) => instead.get(word)).find((text) => text !== undefined)
  const other = more === undefined ? [] : [filled(more, given)]
  const isCommand = more?.startsWith('vatom ')
  if (verbs.length > 0 || other.length > 0)
    return [asked(isCommand ? [...verbs, ...other] : verbs, given), ...(isCommand ? [] : other)]
      .filter(Boolean)
      .join('; ')
  return didYouMean(
    unknown,
    [...commands.map((command) => command.name()), 'help'].filter(
      (word) => ![...destructive, ...hidden].includes(word),
    ),
  )
}

/** Whether a noun has a verb under this very name: what the table says of a word counts more than another name of a verb. */
const hasVerb = ({ commands }: Command, word: string) => commands.some((verb) => verb.name() === word)

const isVatom = (word: string) => /^vatoms?$/i.test(word)

/** `vatom vatoms`, with a verb or a word of ours behind it. */
function hintForVatoms(verb: string, given: Given, commands: readonly Command[]): string | undefined {
  const other = insteadOfVatom.get(verb === '' ? 'list' : canonicalVerb(verb))
  if (other !== undefined) return asked([filled(other, given)], given)
  const word = canonicalWord(verb)
  if (destructive.includes(word)) return undefined
  return isWord(word) ? asked([shellLine(`vatom ${word}`, given.rest)], given) : hintAtRoot(verb, given, commands)
}

/** A first word with the words that were given, as it takes them. */
function withWords(command: Command, { rest, files, line }: Given): string {
  const word = command.name()
  if (ofFiles.includes(word))
    return shellLine(`vatom ${word}`, rest.every((one) => files.includes(one)) ? rest : ['PATH'])
  const taken = command.registeredArguments.length
  const [extra] = rest.slice(taken)
  const flags = extra === undefined ? undefined : flagsFor(word, extra, line)
  return [shellLine(`vatom ${word}`, rest.slice(0, taken)), ...(flags ? [flags] : [])].join(' ')
}

/** Whether a verb can have these words behind it. */
function takes(verb: Command, { rest: [first], files }: Given): boolean {
  if (first === undefined || named(first, verb.commands) !== undefined) return true
  const [argument] = verb.registeredArguments
  return argument !== undefined && (!files.includes(first) || /file|path/.test(argument.name()))
}

const isKind = (name: string) => kinds.some((kind) => kind === name)

/** `run: vatom template list`, or several commands to choose from. */
const asked = (commands: readonly string[], { line }: Given) =>
  commands.length === 0
    ? undefined
    : `${commands.length === 1 ? 'run' : 'one of'}: ${commands.map((command) => [command, ...repeatedFlags(line)].join(' ')).join(', ')}`

/** A whole command, with the arguments that were given, else with what it takes. */
function whole(noun: Command, verb: Command, given: readonly string[]): string {
  const needed = verb.registeredArguments.filter(({ required }) => required).map((one) => one.name().toUpperCase())
  return ['vatom', noun.name(), verb.name(), ...(given.length > 0 ? given.map(shellWord) : needed)].join(' ')
}

/** Which words can stand for a name; any for the others. */
const fits: Readonly<Record<string, (word: string, files: readonly string[]) => boolean>> = {
  EMAIL: (word) => word.includes('@'),
  ID: (word, files) => !word.includes('@') && !files.includes(word) && !isVerb(word),
  CATALOG: (word, files) => files.includes(word),
  NAME: (word, files) => !files.includes(word) && !isKind(canonicalWord(word)),
}

/** A text of the table with the first word that fits each name, unless that needs quotes in a shell. */
const filled = (text: string, { rest, files }: Given): string =>
  text.replaceAll(/\{([A-Z]+)\}/g, (_, name: string) => {
    const meant = rest.find((word) => fits[name]?.(word, files) ?? true)
    return meant === undefined || shellWord(meant) !== meant ? name : meant
  })
