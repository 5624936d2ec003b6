import type { VatomsPage } from '../../../contract/api/vatom.ts'
import { face } from '../../../contract/kinds/face.ts'
import { type OfferedAction, offeredActions } from '../../../contract/rules/offered-actions.ts'
import { at } from '../../../contract/schema/path.ts'
import { actionInfix, vatomTypeKey } from '../../../contract/values.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { withoutPublisher } from '../../names.ts'

/** A vAtom with the faces of its template, as documents, and its actions. */
export interface Found {
  readonly id: string
  /** A record. */
  readonly vatom: Section
  readonly faces: readonly unknown[]
  readonly actions: readonly OfferedAction[]
}

/** The vAtoms of an answer, each with what belongs to it. */
export function foundIn({ vatoms, faces, actions }: VatomsPage): Found[] {
  const documents = faces.map((record) => face.documentOf(sectionOf(record)))
  const offered = new Map<string, readonly OfferedAction[]>()
  return vatoms.map((vatom) => {
    const template = String(at(vatom, vatomTypeKey, 'template'))
    const prefix = template + actionInfix
    const ofTemplate =
      offered.get(template) ?? offeredActions(actions.filter(({ name }) => String(name).startsWith(prefix)))
    offered.set(template, ofTemplate)
    return {
      id: String(vatom.id),
      vatom,
      faces: documents.filter((document) => document.template === template),
      actions: ofTemplate,
    }
  })
}

/** A property of a vAtom as text; empty if it has none. */
export const propertyText = ({ vatom }: Pick<Found, 'vatom'>, name: string): string =>
  String(at(vatom, vatomTypeKey, name) ?? '')

/** Whether a property of a vAtom forbids an action on it, as `redeemable` does once it was redeemed. */
export const isForbidden = ({ vatom }: Pick<Found, 'vatom'>, { permit }: OfferedAction): boolean =>
  permit !== undefined && at({ vatom }, ...permit.path) === false

/** Whether a vAtom can have others in it. */
export const isFolder = (found: Pick<Found, 'vatom'>): boolean => /Container/.test(propertyText(found, 'root_type'))

/** How a vAtom is called. */
export const titleOf = (found: Pick<Found, 'vatom'>): string =>
  propertyText(found, 'title') || withoutPublisher(propertyText(found, 'template_variation'))
