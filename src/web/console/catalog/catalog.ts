import type { Client } from '../../../client/client.ts'
import { face } from '../../../contract/kinds/face.ts'
import { template as templateKind } from '../../../contract/kinds/template.ts'
import { limits } from '../../../contract/limits.ts'
import { at, isObject, printPath } from '../../../contract/schema/path.ts'
import { actionInfix, vatomTypeKey } from '../../../contract/values.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { resolveWithOrigins } from '../../../contract/vatom/provenance.ts'
import { apiAs } from '../service/api.ts'
import { local } from '../service/local.ts'
import { currentSession } from '../service/session.ts'

/** A template in the list. */
export interface ListedTemplate {
  readonly name: string
  readonly isDraft: boolean
}

/** How many vAtoms were emitted on a day, how many redeemed, and how many trashed without that. */
export interface DayCounts {
  readonly day: string
  readonly count: number
  readonly redeemed: number
  readonly trashed: number
}

/** How many vAtoms a variation has. */
interface Counts {
  readonly template_variation: string
  readonly emitted: number
  readonly redeemed: number
  /** Neither trashed nor redeemed. */
  readonly left: number
  readonly days: readonly DayCounts[]
}

/** A value of a variation's vAtoms, and which of the two says it. */
export interface Value {
  readonly path: string
  readonly text: string
  readonly from: 'template' | 'variation'
}

/** A variation with what it makes. */
export interface ShownVariation {
  readonly name: string
  readonly isDraft: boolean
  /** How many more clones there may be; in words where that is no number. */
  readonly clonesLeft: string
  readonly counts: Counts
  /** A new vAtom, as far as faces can read it. */
  readonly vatom: Section
  readonly values: readonly Value[]
}

/** A template with all that belongs to it. */
export interface ShownTemplate {
  readonly name: string
  readonly isDraft: boolean
  readonly isPublic: boolean
  readonly isCloneable: boolean
  readonly faces: readonly Section[]
  readonly actions: readonly { readonly name: string; readonly reactor: string }[]
  readonly variations: readonly ShownVariation[]
}

const clientOf = (user: string): Client => apiAs(user, currentSession().app_id).client

/** All templates of the publisher that a user is an administrator of. */
export async function loadTemplates(user: string): Promise<ListedTemplate[]> {
  const found: ListedTemplate[] = []
  for (let page = 1; ; page++) {
    const query = { limit: String(limits.pageMax), page: String(page), fields }
    const records = await clientOf(user).listTemplates({ query })
    found.push(
      ...records.map((record) => ({
        name: String(record.name),
        isDraft: at(record, 'properties', 'unpublished') === true,
      })),
    )
    if (records.length < limits.pageMax) return found
  }
}
const fields = 'name,properties(unpublished)'

/** A template with its variations, faces and actions, as a user may read them. */
export async function loadTemplate(name: string, user: string): Promise<ShownTemplate> {
  const api = clientOf(user)
  const [record, faces, actions, counts] = await Promise.all([
    api.getTemplate({ name }),
    api.listFaces({ query: { template: name } }),
    api.listActions({ query: { template: name } }),
    local<Counts[]>('GET', `/__vatom/emissions/${encodeURIComponent(name)}`),
  ])
  const document = templateKind.documentOf(sectionOf(record))
  const variations: ShownVariation[] = []
  for (const count of counts) variations.push(await loadVariation(api, document, count))
  const prefix = name + actionInfix
  return {
    name,
    isDraft: document.unpublished === true,
    isPublic: document.public === true,
    isCloneable: document.cloneable === true,
    faces: faces.map((one) => face.documentOf(sectionOf(one))),
    actions: actions.map((one) => ({
      name: String(one.name).replace(prefix, ''),
      reactor: String(at(one, 'properties', 'reactor') ?? ''),
    })),
    variations,
  }
}

async function loadVariation(api: Client, template: Section, counts: Counts): Promise<ShownVariation> {
  const name = counts.template_variation
  const { properties } = await api.getVariation({ name })
  const { leaves } = resolveWithOrigins(template, { ...sectionOf(properties.overrides), template: template.template })
  return {
    name,
    isDraft: properties.unpublished === true,
    clonesLeft: clonesLeftOf(template, sectionOf(properties)),
    counts,
    vatom: newVatom(name, sectionOf(properties.template_variation), properties.template),
    values: leaves.map(({ path, value, from }) => ({
      path: printPath(path).replace(`vatom.${vatomTypeKey}.`, ''),
      text: isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value),
      from,
    })),
  }
}

function clonesLeftOf(template: Section, { max_clones: most, num_clones: clones }: Section): string {
  if (template.cloneable !== true) return 'not cloneable'
  return typeof most === 'number' ? String(most - Number(clones)) : 'any number'
}

const newVatom = (variation: string, section: Section, template: unknown): Section => ({
  id: variation,
  ...section,
  [vatomTypeKey]: {
    ...sectionOf(section[vatomTypeKey]),
    template,
    template_variation: variation,
    parent_id: '.',
    cloning_score: 0,
  },
})
