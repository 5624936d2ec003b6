import { Command } from 'commander'
import type { Kind } from '../../contract/kinds/kind.ts'
import type { Context } from '../context.ts'
import type { Order } from './deliver.ts'
import { createCommand } from './verbs/create.ts'
import { type DeleteWords, deleteKindCommand } from './verbs/delete.ts'
import { getCommand } from './verbs/get.ts'
import { listCommand } from './verbs/list.ts'
import { type Publication, publishCommand } from './verbs/publish.ts'
import { type DocumentFlags, registerCommand } from './verbs/register.ts'
import { updateCommand } from './verbs/update.ts'
import { validateCommand } from './verbs/validate.ts'

/** What the command line says and does of one kind alone. */
export interface KindCommand {
  readonly kind: Kind
  readonly description: string
  readonly examples: readonly string[]
  /** An order in which the service takes documents, where theirs will not do. */
  readonly order?: Order
  /** How flags describe a document; a kind without them is created from files alone. */
  readonly flags?: DocumentFlags
  /** What `get` shows, of a kind whose records are read by name. */
  readonly shown?: string
  /** Another `update` than that of drafts. */
  readonly update?: Command
  /** How drafts are published. */
  readonly publication?: Publication
  readonly deletion: DeleteWords
  /** Verbs of its own; each stands after the verb it names. */
  readonly own?: Partial<Record<Verb, Command>>
}

/** The verbs of a kind, in the order of its help. A new one is written here, and in a file of `verbs`. */
const verbs = {
  create: ({ kind, flags, order }: KindCommand, context: Context) =>
    flags ? registerCommand(kind, flags, context) : createCommand(kind, order, context),
  validate: ({ kind }: KindCommand, context: Context) => validateCommand(kind, context),
  list: ({ kind }: KindCommand, context: Context) => listCommand(kind, context),
  get: ({ kind, shown }: KindCommand, context: Context) =>
    shown === undefined ? undefined : getCommand(kind, shown, context),
  update: ({ kind, update }: KindCommand, context: Context) => update ?? updateCommand(kind, context),
  publish: ({ kind, publication }: KindCommand, context: Context) =>
    publication && publishCommand(kind, publication, context),
  delete: ({ kind, deletion }: KindCommand, context: Context) => deleteKindCommand(kind, deletion, context),
} as const
type Verb = keyof typeof verbs

/** A kind's noun of the command line, with all of its verbs. */
export function kindCommand(given: KindCommand, context: Context): Command {
  const noun = new Command(given.kind.name)
    .description(given.description)
    .addHelpText('after', `\nExamples:\n${given.examples.map((example) => `  ${example}`).join('\n')}`)
  for (const [verb, commandOf] of Object.entries(verbs))
    for (const command of [commandOf(given, context), given.own?.[verb as Verb]]) if (command) noun.addCommand(command)
  return noun
}
