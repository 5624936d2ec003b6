import { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { Context } from '../context.ts'
import { type DryRunOption, dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { usage } from '../failure/failure.ts'
import { hinted } from '../failure/hinted.ts'
import { fieldsOf, flagOf } from '../io/fields.ts'
import { createDocuments } from './create.ts'
import { type Format, formatOption } from './format.ts'

type Fields = Readonly<Record<string, unknown>>

/** A noun whose records are registered, from files or one from flags. */
export interface RegisterNoun {
  readonly noun: 'face' | 'action'
  /** With its article: `a face`. */
  readonly one: string
  /** Fields that flags must give. */
  readonly needed: readonly string[]
  readonly addOptions: (command: Command) => Command
  /** The document that the fields given by flags make. */
  readonly document: (fields: Fields) => Record<string, unknown>
  readonly examples: string
  /** Sends a document that was found valid. */
  readonly register: (client: Client, document: Fields) => Promise<Fields>
}

interface RegisterOptions extends DryRunOption {
  readonly format: Format
}

/** `register` of a noun. */
export const registerCommandFor = (noun: RegisterNoun, context: Context, run = register): Command =>
  noun
    .addOptions(
      new Command('register')
        .summary(`register ${noun.noun}s for a template`)
        .description(`Check ${noun.noun} documents, then register them; or register one ${noun.noun} from flags.`)
        .argument('[file...]', 'YAML or JSON files, folders, globs, or - for standard input'),
    )
    .addOption(dryRunOption())
    .addOption(formatOption())
    .addHelpText('after', `\nExamples:\n${noun.examples}`)
    .action((files: string[], options: RegisterOptions) => run(noun, files, options, context))

async function register(
  noun: RegisterNoun,
  files: readonly string[],
  { format, dryRun: _, ...options }: RegisterOptions,
  context: Context,
): Promise<void> {
  const given = fieldsOf(options)
  const fromFlags = Object.keys(given).length > 0
  if (files.length > 0 && fromFlags) throw usage(`${noun.one} comes from files or from flags, not both`)
  if (files.length === 0) checkNeeded(noun, given)
  await createDocuments(
    {
      noun: noun.noun,
      inputs: files.length > 0 ? files : { flags: noun.document(given) },
      format,
      send: async ({ value, name }, { client, place }) => {
        const taken = `change it instead: vatom ${noun.noun} update`
        const registered = hinted(noun.register(client, value), {
          nameTaken: taken,
          ...(fromFlags && { missingReference: 'create first what the flags name' }),
        })
        const { success_message } = await would(`register ${noun.noun} ${name} on ${place}`, registered)
        return { status: 'created', message: `${String(success_message).replace(/\.$/, '')} on ${place}` }
      },
    },
    context,
  )
}

function checkNeeded({ noun, one, needed }: RegisterNoun, given: Fields): void {
  const missing = needed.filter((field) => given[field] === undefined)
  if (missing.length === 0) return
  const flags = missing.map(flagOf).join(', ')
  if (Object.keys(given).length === 0) throw usage(`${one} is missing`, `name a file, or give ${flags}`)
  throw usage(`${one} from flags needs ${flags}`, `or name a file that holds the ${noun}`)
}
