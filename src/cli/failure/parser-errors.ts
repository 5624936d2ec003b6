import type { Command } from 'commander'
import { methods } from '../../contract/api/methods.ts'
import { methodOf } from '../api/methods.ts'
import { flagOf } from '../io/option-values.ts'
import { shellWord } from '../io/text.ts'
import { ifVariable } from './empty-arguments.ts'
import { type Failure, usage } from './failure.ts'
import { usageLine } from './usage-line.ts'

/** The usage error for what the command line's parser says of a command of these words. */
export const parserFailure = async (text: string, operands: readonly string[], program: Command): Promise<Failure> =>
  (await choiceFailure(text)) ?? usageFailure(text, operands, program)

/** How the parser says that a value is not among the choices of an option or an argument. */
const wordings: readonly RegExp[] = [
  /^error: option '(?:-\w, )?(?<name>--[\w-]+).*' argument '(?<given>.*)' is invalid\. Allowed choices are (?<choices>.*)\.$/s,
  /^error: command-argument value '(?<given>.*)' is invalid for argument '(?<name>.*)'\. Allowed choices are (?<choices>.*)\.$/s,
]

async function choiceFailure(text: string): Promise<Failure | undefined> {
  const { name, given = '', choices } = wordings.map((form) => form.exec(text)).find(Boolean)?.groups ?? {}
  if (choices === undefined) return undefined
  if (given.trim() === '') return usage(`${name} is empty`, `choose one of: ${choices}; ${ifVariable}`)
  const meant = await meantChoice(given, choices.split(', '))
  return usage(`${name} cannot be ${given}`, `${meant === undefined ? '' : `${meant} `}choose one of: ${choices}`)
}

/** The choice that is meant, also where only its last part is given: `FolderContainerType`. */
async function meantChoice(given: string, choices: readonly string[]): Promise<string | undefined> {
  const { didYouMean, suggest } = await import('../../contract/schema/suggest.ts')
  const lastPart = (text: string) => text.split('::').at(-1) ?? text
  const near = suggest(given, choices.map(lastPart))
  const whole = choices.find((one) => lastPart(one) === near)
  return didYouMean(given, choices) ?? (whole && `did you mean ${whole}?`)
}

/** How the parser says why a value of an option or an argument is refused. */
const refusals: readonly RegExp[] = [
  /^error: option '(?:-\w, )?(?<name>--[\w-]+).*' argument '(?<given>.*)' is invalid\. (?<why>.*)$/s,
  /^error: command-argument value '(?<given>.*)' is invalid for argument '(?<name>.*)'\. (?<why>.*)$/s,
]

/** How the parser says anything else: the fault, and on a line of its own what may have been meant. */
const wording = /^(?:error: )?(?<fault>.*?)(?:\n\(D(?<suggestion>id you mean .*\?)\))?$/s

const severalEmitted = 'to emit several: vatom emit VARIATION --num N'
const counted = 'to count vAtoms: vatom discover --mine --count'
const exitCode = 'to end with 10 where there are changes: vatom plan PATH --exit-code'
const fewer = 'to see fewer of them: --limit N'
const unasked = 'to do it without a question: --yes'
const given =
  'vAtoms are emitted to your publisher; to give one away then: vatom act Transfer ID -d new.owner.email=EMAIL'

const folder = 'to move it into a folder: vatom update ID --folder FOLDER'
const looked = 'to see what is in a folder: vatom inventory --folder FOLDER'
const placed = 'to give a position: vatom act ACTION ID -d geo.pos=LAT,LON'
const overwritten = 'files that exist are not overwritten: choose another folder, or delete them'
const around = 'around a point: vatom map --around LAT,LON'
const address = 'the address of a service, and its application: vatom login --base-url URL --app-id ID'

/** Flags of a field that vAtoms are searched by. */
const searchFlags = (command: string, line: string) =>
  ['category', 'owner', 'template', 'template_variation'].map((field): [string, string] => [
    `${command} ${flagOf(field)}`,
    `to search: ${line} --filter '${field} = VALUE'`,
  ])

/** Flags of an address, which a command takes as its argument. */
const addressFlags = (command: string) =>
  ['--email', '--phone'].map((flag): [string, string] => [
    `${command} ${flag}`,
    `the address is an argument, without a flag: vatom ${command} ADDRESS`,
  ])

/** Flags of a position, which other tools have, and which are no flags here. */
const positionFlags = [
  '--at',
  '--position',
  '--location',
  '--geo',
  '--lat',
  '--latitude',
  '--lon',
  '--lng',
  '--long',
  '--longitude',
]

/** Commands with a question that `--yes` answers, which other tools call `--force`. */
const forced = ['trash', 'apply', 'reset', 'template', 'variation', 'face', 'action', 'asset', 'snapshot']

/** Nouns whose records are deleted after a question. */
const deletable = ['template', 'variation', 'face', 'action', 'asset', 'snapshot']

/** What to do about flags that people bring from other tools, and missing arguments, by the words of a command and the flag, by the first of them, or by flag alone. */
const remedies = new Map([
  ['--password', 'do not give passwords as arguments: use --password-stdin'],
  ['login --guest-id', 'do not give a guest id as an argument: use --guest-id-stdin'],
  ['emit --count', `${severalEmitted}; ${counted}`],
  ['emit -n', severalEmitted],
  ['emit --amount', severalEmitted],
  ['emit --quantity', severalEmitted],
  ['inventory --count', counted],
  ['inventory -n', fewer],
  ['discover -n', fewer],
  ['act --to', 'to send a vAtom: vatom act Transfer ID -d new.owner.email=EMAIL'],
  ['apply -f', 'files and folders are arguments, without a flag: vatom apply PATH'],
  ['plan -f', 'files and folders are arguments, without a flag: vatom plan PATH'],
  ['plan -d', exitCode],
  ['plan --detailed-exitcode', exitCode],
  ['plan --dry-run', 'leave it out: this command changes nothing'],
  ['plan -o', 'to save the plan: vatom plan PATH --out FILE; for JSON: --json'],
  ['apply --dry-run', 'it takes no value: vatom apply PATH --dry-run'],
  ['apply -a', unasked],
  ['--auto-approve', unasked],
  ['-y', unasked],
  ...deletable.map((noun): [string, string] => [`${noun} delete --confirm`, unasked]),
  ...forced.map((command): [string, string] => [`${command} --force`, unasked]),
  ...searchFlags('discover', 'vatom discover'),
  ...searchFlags('inventory', 'vatom discover --mine'),
  ['inventory --owner', "to search: vatom discover --filter 'owner = VALUE'"],
  ['-o', 'for JSON: --json'],
  ['--output', 'for JSON: --json'],
  ['--format', 'for JSON: --json'],
  ['plan --output', 'to save the plan: vatom plan PATH --out FILE; for JSON: --json'],
  ['preview --output', 'to write pictures: vatom preview PATH --out FOLDER; for JSON: --json'],
  ['pull --output', 'the folder is an argument, without a flag: vatom pull FOLDER'],
  ['update --parent', folder],
  ...['--center', '--near', ...positionFlags].map((flag): [string, string] => [`map ${flag}`, around]),
  ...positionFlags.map((flag): [string, string] => [`act ${flag}`, placed]),
  ['inventory --parent', looked],
  ['inventory --parent-id', looked],
  ['profile --lang', 'did you mean --language?'],
  ['profile set --name', 'a user has two names: vatom profile set --first-name NAME --last-name NAME'],
  ['--verbose', 'to see the requests: --debug'],
  ['update --parent-id', folder],
  ['init --force', overwritten],
  [
    'init --template',
    'there is one starter catalog; to name the template that it writes: vatom init DIR --name NAME; to read others: the folder templates-examples',
  ],
  ...['--kind', '--type'].map((flag): [string, string] => [
    `init ${flag}`,
    'for a folder: vatom init DIR --root-type vAtom::vAtomType::FolderContainerType',
  ]),
  ...addressFlags('user token add'),
  ...addressFlags('user token verify'),
  ...addressFlags('user token resend'),
  ...addressFlags('user reset-password'),
  ...['--url', '--server', '--host'].map((flag): [string, string] => [`login ${flag}`, address]),
  [
    'user --merchant',
    'register them without it; then, where vatom serve runs: vatom api PATCH __vatom/users/ID -F is_merchant=true',
  ],
  ['emit --to', given],
  ['emit --owner', given],
  ['act id', 'first the action, then the vAtom: vatom act ACTION ID; for the actions of a template: vatom action list'],
  ['inventory --filter', 'to search: vatom discover --mine --filter EXPRESSION'],
])

/** What to do about any other unknown flag of a command, unless it is like one that it has. */
const unknownFlags = new Map([
  ['update', 'it moves vAtoms, and changes nothing else of them; actions change other properties: vatom act --help'],
])

/** What to do about a flag, by as many words of its command as the table has. */
const remedyFor = (operands: readonly string[], flag: string): string | undefined =>
  operands
    .map((_, end) => [...operands.slice(0, operands.length - end), flag].join(' '))
    .concat(flag)
    .map((key) => remedies.get(key))
    .find((remedy) => remedy !== undefined)

const missing = 'missing required argument'

/** What may be a secret is not repeated. */
function usageFailure(text: string, operands: readonly string[], program: Command): Failure {
  const [command = '', first = ''] = operands
  const { name, given, why } = refusals.map((form) => form.exec(text)).find(Boolean)?.groups ?? {}
  if (given?.trim() === '') return usage(`${name} is empty: ${why?.replace(/, not *$/, '')}`, ifVariable)
  if (why?.endsWith(`, not ${given}`)) return usage(`${name} ${why.replace(/^it /, '')}`)
  if (command === 'api' && name === 'method') return noMethod(given ?? '')
  if (why !== undefined) return usage(`${name} cannot be ${given}: ${why}`)
  const { fault = text, suggestion } = wording.exec(text)?.groups ?? {}
  const message = fault.replace(/'(--[\w-]+)=.*'/s, "'$1'").replace(/'(-\w)[^-].*'/s, "'$1'")
  const [, flag = ''] = /'((?:--?)?[\w-]+)'/.exec(message) ?? []
  if (command === 'api' && flag === 'path') return pathMissing(first)
  return usage(
    message,
    remedyFor(operands, flag) ??
      (suggestion ? `d${suggestion}` : undefined) ??
      (message.startsWith('unknown option') ? unknownFlags.get(command) : undefined) ??
      (message.startsWith(missing)
        ? `write: ${usageLine(program, operands)}; for its options add --help`
        : 'to see how to use it, add --help'),
  )
}

const paths = 'all paths: vatom help operations'

const noMethod = (given: string) =>
  usage(
    `${given} is no method of requests`,
    `the methods: ${methods.join(', ')}; such as vatom api GET v1/user; ${paths}`,
  )

/** A single word after `vatom api` is a method, or a path if it is none and may be one. */
function pathMissing(word: string): Failure {
  const method = methodOf(word)
  if (method !== undefined)
    return usage(`The path of the request is missing after ${word}`, `write: vatom api ${method} PATH; ${paths}`)
  if (/^[A-Z]+$/.test(word)) return noMethod(word)
  return usage(
    'The method of the request is missing',
    `the method comes first: vatom api GET ${shellWord(word)}; ${paths}`,
  )
}
