import type { Kind } from '../../contract/kinds/kind.ts'
import { type Make, nounCommand } from '../noun.ts'
import type { Order } from './deliver.ts'
import { createCommand } from './verbs/create.ts'
import { type Deletion, deleteKindCommand } from './verbs/delete.ts'
import { getCommand } from './verbs/get.ts'
import { listCommand } from './verbs/list.ts'
import { type Publication, publishCommand } from './verbs/publish.ts'
import { type DocumentFlags, registerCommand } from './verbs/register.ts'
import { updateCommand } from './verbs/update.ts'
import { validateCommand } from './verbs/validate.ts'

/** What the command line of one kind has that others do not. */
interface KindCommand {
  readonly kind: Kind
  readonly description: string
  readonly examples: readonly string[]
  /** Sorts documents into an order that the service accepts. */
  readonly order?: Order
  /** How flags describe a document; a kind without them is created from files alone. */
  readonly flags?: DocumentFlags
  /** What `get` shows, of a kind whose records are read by name. */
  readonly shown?: string
  /** Another `update` than that of drafts. */
  readonly update?: Make
  /** How drafts are published. */
  readonly publication?: Publication
  readonly deletion: Deletion
  /** Verbs that other kinds do not have, each by the verb that it follows in the help. */
  readonly own?: Partial<Record<Verb, Make>>
}

/** The verbs of a kind, in the order of its help. A new one is written here, and in a file of `verbs`. */
const verbs = {
  create: ({ kind, flags, order }: KindCommand) => (flags ? registerCommand(kind, flags) : createCommand(kind, order)),
  validate: ({ kind }: KindCommand) => validateCommand(kind),
  list: ({ kind }: KindCommand) => listCommand(kind),
  get: ({ kind, shown }: KindCommand) => (shown === undefined ? undefined : getCommand(kind, shown)),
  update: ({ kind, update }: KindCommand) => update ?? updateCommand(kind),
  publish: ({ kind, publication }: KindCommand) => publication && publishCommand(kind, publication),
  delete: ({ kind, deletion }: KindCommand) => deleteKindCommand(kind, deletion),
} as const
type Verb = keyof typeof verbs

/** The command of a kind, with all of its verbs. */
export const kindCommand = (given: KindCommand): Make =>
  nounCommand({
    name: given.kind.name,
    description: given.description,
    examples: given.examples,
    verbs: (Object.keys(verbs) as Verb[])
      .flatMap((verb) => [verbs[verb](given), given.own?.[verb]])
      .filter((make) => make !== undefined),
  })
