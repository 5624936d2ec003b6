import { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { Context } from '../context.ts'
import { dryRunOption } from '../dry-run/option.ts'
import { would } from '../dry-run/would.ts'
import { createDocuments, type Order } from './create.ts'
import { type Format, formatOption } from './format.ts'
import { type GateOptions, gateCreation } from './gate.ts'

interface CreateDraftsOptions extends GateOptions {
  readonly format: Format
}
type Document = Readonly<Record<string, unknown>>

/** A noun whose documents are created as drafts, or published as they are created. */
export interface DraftNoun {
  readonly noun: 'template' | 'variation'
  readonly example: string
  /** Sends a document that was found valid. */
  readonly create: (client: Client, document: Document) => Promise<unknown>
  readonly order?: Order
}

/** `create` of a noun. */
export const createCommandFor = (noun: DraftNoun, context: Context, run = createDrafts): Command =>
  new Command('create')
    .summary(`create ${noun.noun}s from files`)
    .description(
      `Check ${noun.noun} documents, then create them as drafts; a document that says unpublished: false is published.`,
    )
    .argument('<file...>', 'YAML or JSON files, folders, globs, or - for standard input')
    .option('--yes', 'publish what says unpublished: false without asking')
    .option('--accept-charges', 'accept the chain writes of an eth section on mainnet')
    .addOption(dryRunOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      `\nExamples:\n  vatom ${noun.noun} create ${noun.example}\n  vatom ${noun.noun} create catalog/ --json`,
    )
    .action((files: string[], options: CreateDraftsOptions) => run(noun, files, options, context))

/** Whether it is a draft is always said outright: what is final must be asked for. Spec 2.2. */
const createDrafts = (
  { noun, create, order }: DraftNoun,
  inputs: readonly string[],
  options: CreateDraftsOptions,
  context: Context,
): Promise<void> =>
  createDocuments(
    {
      noun,
      inputs,
      format: options.format,
      ...(order && { order }),
      gate: (documents) => gateCreation(noun, documents, options, context),
      send: async ({ value, name }, { client, place }) => {
        const unpublished = value.unpublished !== false
        const what = `${noun} ${name} (${unpublished ? 'draft' : 'published, final'}) on ${place}`
        await would(`create ${what}`, create(client, { ...value, unpublished }))
        return { status: unpublished ? 'created' : 'published', message: `Created ${what}` }
      },
    },
    context,
  )
