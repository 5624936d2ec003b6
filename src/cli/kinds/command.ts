import type { Kind } from '../../contract/kinds/kind.ts'
import { type Make, nounCommand, type Verbs } from '../noun.ts'
import type { Order } from './deliver.ts'
import type { Deletion } from './verbs/delete.ts'
import type { Publication } from './verbs/publish.ts'
import type { DocumentFlags } from './verbs/register.ts'

/** What the command line of one kind has that others do not; what only some of its verbs need is loaded for these. */
interface KindCommand {
  readonly kind: Kind
  readonly description: string
  readonly examples: readonly string[]
  /** Sorts documents into an order that the service accepts. */
  readonly order?: () => Promise<Order>
  /** How flags describe a document; a kind without them is created from files alone. */
  readonly flags?: () => Promise<DocumentFlags>
  /** What `get` shows, of a kind whose records are read by name. */
  readonly shown?: string
  /** Another `update` than that of drafts. */
  readonly update?: () => Promise<Make>
  /** How drafts are published. */
  readonly publication?: () => Promise<Publication>
  readonly deletion: () => Promise<Deletion>
  /** Verbs that other kinds do not have, by the verb that they follow in the help. */
  readonly own?: Readonly<Partial<Record<'list' | 'get' | 'update' | 'delete', Verbs>>>
}

/** The verbs of a kind. A new one is written here, and in a file of `verbs`. */
const verbsOf = ({ kind, order, flags, shown, update, publication, deletion, own }: KindCommand): Verbs => ({
  ...(flags
    ? { register: async () => (await import('./verbs/register.ts')).registerCommand(kind, await flags()) }
    : { create: async () => (await import('./verbs/create.ts')).createCommand(kind, await order?.()) }),
  validate: async () => (await import('./verbs/validate.ts')).validateCommand(kind),
  list: async () => (await import('./verbs/list.ts')).listCommand(kind),
  ...own?.list,
  ...(shown !== undefined && { get: async () => (await import('./verbs/get.ts')).getCommand(kind, shown) }),
  ...own?.get,
  update: update ?? (async () => (await import('./verbs/update.ts')).updateCommand(kind)),
  ...own?.update,
  ...(publication && {
    publish: async () => (await import('./verbs/publish.ts')).publishCommand(kind, await publication()),
  }),
  delete: async () => (await import('./verbs/delete.ts')).deleteKindCommand(kind, await deletion()),
  ...own?.delete,
})

/** The command of a kind, with all of its verbs. */
export const kindCommand = (given: KindCommand) =>
  nounCommand({
    name: given.kind.name,
    description: given.description,
    examples: given.examples,
    verbs: verbsOf(given),
  })
