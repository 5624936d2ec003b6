import { unlessRefused } from '../../client/errors.ts'
import type { Kind } from '../../contract/kinds/kind.ts'
import { variation } from '../../contract/kinds/variation.ts'
import { limits } from '../../contract/limits.ts'
import { childrenOf } from '../../contract/rules/catalog.ts'
import { starterTexts } from '../../contract/rules/starter-texts.ts'
import { at } from '../../contract/schema/path.ts'
import { nameList } from '../../contract/schema/suggest.ts'
import type { Section } from '../../contract/vatom/complete.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { styled } from '../io/text.ts'
import type { Connection } from '../service/connect.ts'
import { isElsewhere } from '../service/target.ts'
import { ifFound, isDraft, readRecord } from './requests.ts'

/** What a plan says of a document before it becomes final, by code. */
export const cautionCatalogue = {
  draft_contents: 'A child_policy names variations that stay drafts, of which only few vAtoms can be emitted',
  no_face: 'The template has no face: viewers show nothing of its vAtoms',
  starter_texts: 'The document has example texts or addresses, such as those that vatom init writes',
} as const satisfies Readonly<Record<string, string>>
type CautionCode = keyof typeof cautionCatalogue
export const cautionCodes = Object.keys(cautionCatalogue) as [CautionCode, ...CautionCode[]]

/** What somebody should know before a document becomes final; it is not refused because of it. */
export interface Caution {
  readonly code: CautionCode
  /** The drafts, or the example texts; none of a template without a face. */
  readonly names: readonly string[]
}

const texts: Readonly<Record<CautionCode, (names: readonly string[]) => string>> = {
  draft_contents: draftsText,
  no_face: () => 'it has no face: viewers show nothing of its vAtoms',
  starter_texts: (names) => `it has example texts: ${nameList(names)}; replace them before it is final`,
}

/** A caution for people. */
export const cautionText = ({ code, names }: Caution): string => texts[code](names)

interface Publication {
  /** Whether a variation is a draft, and stays one. */
  readonly staysDraft: (variation: string) => Promise<boolean>
  /** Whether the service is on another machine: what is published on this one is a trial. */
  readonly isElsewhere: boolean
  /** Names of the variations that its vAtoms contain; by default those in its own child_policy. */
  readonly children?: readonly string[]
}

/** The cautions about a document that is published. Spec 2.4, 3. */
export async function cautionsOf(
  document: Section,
  { staysDraft, isElsewhere, children = childrenOf(document).map(({ name }) => name) }: Publication,
): Promise<readonly Caution[]> {
  const found = await Promise.all(children.map(async (name) => ((await staysDraft(name)) ? [name] : [])))
  const cautions: readonly Caution[] = [
    { code: 'draft_contents', names: found.flat() },
    { code: 'starter_texts', names: isElsewhere ? starterTexts(document) : [] },
  ]
  return cautions.filter(({ names }) => names.length > 0)
}

function draftsText(names: readonly string[]): string {
  const [what, it, is] =
    names.length === 1 ? ['a draft', 'it', 'it is'] : [`${names.length} drafts`, 'each', 'they are']
  return `its child_policy names ${what}: ${nameList(names)}; at most ${limits.draftVatoms} vAtoms of ${it} can be emitted until ${is} published`
}

/** Warns before documents of a kind are published together, without the rest of a catalog. */
export async function warnOfCautions(
  kind: Kind,
  documents: readonly Pick<LoadedDocument, 'name' | 'value'>[],
  context: Context,
): Promise<void> {
  const published = new Set(documents.map(({ name }) => name))
  for (const { name, value } of documents) {
    // Variations of a template are published after it.
    const later = kind.parent === undefined ? name : undefined
    const staysDraft = async (child: string) =>
      !published.has(child) && isStoredDraft(child, later, await context.connect())
    for (const one of await cautionsOf(value, { staysDraft, isElsewhere: isElsewhere(await context.target()) }))
      context.output.warn(styled`${kind.name} ${name}: ${cautionText(one)}`)
  }
}

/** Whether a stored variation is a draft, and not one of the template `except`. */
async function isStoredDraft(name: string, except: string | undefined, { client }: Connection): Promise<boolean> {
  const record = await ifFound(readRecord(client, variation, name)).catch(unlessRefused)
  return record !== undefined && isDraft(record) && at(record, 'properties', 'template') !== except
}
