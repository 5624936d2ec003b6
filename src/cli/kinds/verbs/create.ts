import { Command, Option } from 'commander'
import { createRecord } from '../../../client/create-record.ts'
import type { Kind } from '../../../contract/kinds/kind.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { would } from '../../dry-run/would.ts'
import { hinted } from '../../failure/hinted.ts'
import type { Make } from '../../noun.ts'
import {
  acceptAddressesOption,
  acceptChargesOption,
  confirmCreation,
  type PublishOptions,
  type YesOption,
} from '../confirmations.ts'
import { createDocuments, type Order } from '../deliver.ts'
import { documentFiles } from '../load-checked.ts'
import { templateFirst } from '../missing.ts'
import { type FormatOption, formatOption, maxWarningsOption } from '../problems.ts'
import { takenNameHint } from '../taken-name.ts'
import { publishFirst } from './publish.ts'

type CreateOptions = PublishOptions & YesOption & FormatOption

/** `create` of a kind whose records are drafts first. */
export const createCommand =
  (kind: Kind, order: Order | undefined): Make =>
  (context) =>
    new Command('create')
      .summary(`create ${kind.name}s from files`)
      .description(
        `Check ${kind.name} documents, then create them as drafts. A document that says unpublished: false is published at once.`,
      )
      .argument('<file...>', documentFiles)
      .option(
        '--confirm <name>',
        'publish what says unpublished: false without asking: the name of one document, or "publish 2" for several',
      )
      .addOption(acceptChargesOption())
      .addOption(acceptAddressesOption())
      .addOption(new Option('--yes').hideHelp())
      .addOption(dryRunOption())
      .addOption(formatOption())
      .addOption(maxWarningsOption())
      .addHelpText(
        'after',
        `\nExamples:\n  vatom ${kind.name} create coffee${kind.fileEnding}.yaml\n  vatom ${kind.name} create catalog/ --json`,
      )
      .action((files: string[], options: CreateOptions) => create(kind, order, files, options, context))

/** Without `unpublished: false` a document is created as a draft. Spec 2.2. */
const create = (
  kind: Kind,
  order: Order | undefined,
  inputs: readonly string[],
  options: CreateOptions,
  context: Context,
): Promise<void> =>
  createDocuments(
    {
      kind,
      inputs,
      format: options.format,
      maxWarnings: options.maxWarnings,
      order,
      gate: (documents) => confirmCreation(kind, documents, options, context),
      send: async (document, { client, place }) => {
        const { value, name } = document
        const unpublished = value.unpublished !== false
        const what = `${kind.name} ${name} (${unpublished ? 'draft' : 'published, final'}) on ${place}`
        const created = hinted(createRecord(client, kind, { ...value, unpublished }), {
          missingReference: templateFirst(client, kind.templateOf(value)),
          templateDraft: publishFirst(String(value.template)),
          nameTaken: takenNameHint(client, kind, document, context.host.cwd),
        })
        await would(`create ${what}`, created)
        return { status: unpublished ? 'created' : 'published', message: `Created ${what}` }
      },
    },
    context,
  )
