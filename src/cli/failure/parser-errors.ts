import { shellWord } from '../io/text.ts'
import { type Failure, usage } from './failure.ts'

/** The usage error for what the command line's parser says of a command of these words. */
export const parserFailure = async (text: string, operands: readonly string[]): Promise<Failure> =>
  (await choiceFailure(text)) ?? usageFailure(text, operands)

/** How the parser says that a value is not among the choices of an option or an argument. */
const wordings: readonly RegExp[] = [
  /^error: option '(?:-\w, )?(?<name>--[\w-]+).*' argument '(?<given>.*)' is invalid\. Allowed choices are (?<choices>.*)\.$/s,
  /^error: command-argument value '(?<given>.*)' is invalid for argument '(?<name>.*)'\. Allowed choices are (?<choices>.*)\.$/s,
]

async function choiceFailure(text: string): Promise<Failure | undefined> {
  const { name, given, choices } = wordings.map((form) => form.exec(text)).find(Boolean)?.groups ?? {}
  if (choices === undefined) return undefined
  const { didYouMean } = await import('../../contract/schema/suggest.ts')
  const meant = didYouMean(given, choices.split(', '))
  return usage(`${name} cannot be ${given}`, `${meant === undefined ? '' : `${meant} `}choose one of: ${choices}`)
}

/** How the parser says why a value is refused. */
const refusal = /^error: option '(?:-\w, )?(?<name>--[\w-]+).*' argument '(?<given>.*)' is invalid\. (?<why>.*)$/s

/** How the parser says anything else: the fault, and on a line of its own what may have been meant. */
const wording = /^(?:error: )?(?<fault>.*?)(?:\n\(D(?<suggestion>id you mean .*\?)\))?$/s

const severalEmitted = 'to emit several: vatom emit VARIATION --num N'
const counted = 'to count vAtoms: vatom discover --mine --count'
const fewer = 'to see fewer of them: --limit N'
const unasked = 'to do it without a question: --yes'
const given =
  'vAtoms are emitted to your publisher; to give one away then: vatom act Transfer ID -d new.owner.email=EMAIL'

/** What to do about flags that people bring from other tools, and missing arguments, by command and flag, or by flag alone. */
const remedies = new Map([
  ['--password', 'do not give passwords as arguments: use --password-stdin'],
  ['emit --count', `${severalEmitted}; ${counted}`],
  ['emit -n', severalEmitted],
  ['inventory --count', counted],
  ['inventory -n', fewer],
  ['discover -n', fewer],
  ['act --to', 'to send a vAtom: vatom act Transfer ID -d new.owner.email=EMAIL'],
  ['apply -f', 'files and folders are arguments, without a flag: vatom apply PATH'],
  ['plan -f', 'files and folders are arguments, without a flag: vatom plan PATH'],
  ['plan --dry-run', 'leave it out: this command changes nothing'],
  ['plan -o', 'to save the plan: vatom plan PATH --out FILE; for JSON: --json'],
  ['apply --dry-run', 'it takes no value: vatom apply PATH --dry-run'],
  ['apply -a', unasked],
  ['--auto-approve', unasked],
  ['-y', unasked],
  ['-o', 'for JSON: --json'],
  ['emit --to', given],
  ['emit --owner', given],
  ['inventory --filter', 'to search: vatom discover --mine --filter EXPRESSION'],
  ['act id', 'first the action, then the vAtom: vatom act ACTION ID; for the actions of a template: vatom action list'],
])

/** What may be a secret is not repeated. */
function usageFailure(text: string, [command = '', first = '']: readonly string[]): Failure {
  const { name, given, why } = refusal.exec(text)?.groups ?? {}
  if (why !== undefined) return usage(`${name} cannot be ${given === '' ? 'empty' : given}: ${why}`)
  const { fault = text, suggestion } = wording.exec(text)?.groups ?? {}
  const message = fault.replace(/'(--[\w-]+)=.*'/s, "'$1'").replace(/'(-\w)[^-].*'/s, "'$1'")
  const [, flag = ''] = /'((?:--?)?[\w-]+)'/.exec(message) ?? []
  if (command === 'api' && flag === 'path' && !/^[A-Z]+$/.test(first))
    return usage(message, `the method comes first: vatom api GET ${shellWord(first)}`)
  return usage(
    message,
    remedies.get(`${command} ${flag}`) ??
      remedies.get(flag) ??
      (suggestion ? `d${suggestion}` : undefined) ??
      'to see how to use it, add --help',
  )
}
