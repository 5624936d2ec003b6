import { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import { createRecord } from '../../../client/create-record.ts'
import { faceText } from '../../../contract/kinds/face.ts'
import type { Kind } from '../../../contract/kinds/kind.ts'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import { publisherPlaceholder } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { Context } from '../../context.ts'
import { type DryRunOption, dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { usage } from '../../failure/failure.ts'
import { type Hint, hinted, seeList } from '../../failure/hinted.ts'
import { fieldsOf, flagOf } from '../../io/option-values.ts'
import { shellLine } from '../../io/text.ts'
import type { Make } from '../../noun.ts'
import { createDocuments } from '../deliver.ts'
import { documentFiles } from '../load-checked.ts'
import { templateFirst } from '../missing.ts'
import { type FormatOption, formatOption, maxWarningsOption } from '../problems.ts'
import { allRecords } from '../requests.ts'
import { givenName, typedName } from '../short-name.ts'
import { listOf } from './list.ts'
import { updateOf } from './update.ts'

type Fields = Readonly<Record<string, unknown>>

/** How flags describe a document. */
export interface DocumentFlags {
  /** Fields that flags must give. */
  readonly needed: readonly string[]
  /** Fields that say which record it is, and that flags of `update` do not change. */
  readonly identity: readonly string[]
  readonly addOptions: (command: Command) => Command
  /** Makes a document of the fields that flags give. */
  readonly document: (fields: Fields) => Record<string, unknown>
  readonly example: string
}

type RegisterOptions = DryRunOption & FormatOption

/** `register` of a kind: documents from files, or one from flags. */
export const registerCommand =
  (kind: Kind, flags: DocumentFlags): Make =>
  (context) =>
    flags
      .addOptions(
        new Command('register')
          .summary(`register ${kind.name}s for a template`)
          .description(`Check ${kind.name} documents, then register them; or register one ${kind.name} from flags.`)
          .argument('[file...]', documentFiles),
      )
      .addOption(dryRunOption())
      .addOption(formatOption())
      .addOption(maxWarningsOption())
      .addHelpText(
        'after',
        `\nExamples:\n  vatom ${kind.name} register coffee${kind.fileEnding}.yaml\n  ${flags.example}`,
      )
      .action((files: string[], options: RegisterOptions) => register(kind, flags, files, options, context))

async function register(
  kind: Kind,
  flags: DocumentFlags,
  files: readonly string[],
  { format, maxWarnings, dryRun: _, ...options }: RegisterOptions,
  context: Context,
): Promise<void> {
  const given = await withWholeName(fieldsOf(options), context)
  const isFromFlags = Object.keys(given).length > 0
  if (files.length > 0 && isFromFlags) throw usage(`${capital(kind.one)} comes from files or from flags, not both`)
  if (files.length === 0) checkNeeded(kind, flags.needed, given)
  await createDocuments(
    {
      kind,
      inputs: files.length > 0 ? files : { flags: flags.document(given) },
      format,
      maxWarnings,
      send: async ({ value, name, file }, { client, place }) => {
        const registered = hinted(createRecord(client, kind, value), {
          nameTaken: isFromFlags
            ? updateWithFlags(kind, without(given, flags.identity), value, client)
            : `change it instead: ${updateOf(kind, file)}`,
          missingReference: isFromFlags
            ? 'first create the records that the flags name'
            : templateFirst(client, kind.templateOf(value)),
        })
        const { success_message } = await would(`register ${kind.name} ${name} on ${place}`, registered)
        // The service says the id of a face, but not whom it is for.
        const viewers = kind.key === 'name' ? '' : `: ${faceText(value)}`
        return { status: 'created', message: `${String(success_message).replace(/\.$/, '')} on ${place}${viewers}` }
      },
    },
    context,
  )
}

/** The command that changes the record which a document describes as flags do. */
const updateWithFlags =
  (kind: Kind, given: Fields, document: Section, client: Client): Hint =>
  async () => {
    // The failure that this hint belongs to is reported; a failure to find the record is not.
    const records = await allRecords(client, kind, { template: kind.templateOf(document) }).catch(() => [])
    const key = records.find((record) => kind.describes(document, record))?.[kind.key]
    return key === undefined
      ? seeList(listOf(kind, kind.templateOf(document)))
      : `change it instead: ${shellLine(`vatom ${kind.name} update`, [String(key), ...flagWords(given)])}`
  }

/** Fields as the flags that give them. */
const flagWords = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([field, value]) => {
    const flag = flagOf(field)
    if (typeof value === 'boolean') return [value ? flag : flag.replace('--', '--no-')]
    return [flag, ...[value].flat().map(String)]
  })

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !names.includes(field)))

/** Fields of flags, in which a part of its name may stand for the template. */
async function withWholeName(given: Fields, context: Context): Promise<Fields> {
  const { template } = given
  if (typeof template !== 'string' || template === '' || template.startsWith(publisherPlaceholder)) return given
  return { ...given, template: await givenName(typedName(templateKind, template, context), context) }
}

function checkNeeded({ name, one }: Kind, needed: readonly string[], given: Fields): void {
  const missing = needed.filter((field) => given[field] === undefined)
  if (missing.length === 0) return
  const flags = missing.map(flagOf).join(', ')
  if (Object.keys(given).length === 0) throw usage(`No ${name} given`, `name a file, or give ${flags}`)
  throw usage(`${capital(one)} from flags needs ${flags}`, `or name a file that holds the ${name}`)
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
