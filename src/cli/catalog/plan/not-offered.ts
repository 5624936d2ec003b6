import type { Output } from '../../io/output.ts'
import { type Line, styled } from '../../io/text.ts'
import { labelOf } from '../catalog-names.ts'
import type { Ownership } from '../owners.ts'
import type { Plan } from './plan.ts'

/** Whether a service stores no labels, so that only this machine records what catalogs with a name own. */
export const ownedHere = ({ catalogs, labels }: Pick<Ownership, 'catalogs' | 'labels'>): boolean =>
  labels === undefined && Object.values(catalogs).some((catalog) => labelOf(catalog) !== null)

/** What the service did not do for a plan, because it does not offer it. */
export const notOfferedLines = ({ unchecked, checked, isOwnedHere }: Plan): Line[] => [
  ...(unchecked === undefined
    ? []
    : [
        styled`${unchecked}: the service does not check ${checked === undefined ? 'the plan' : 'the rest of the plan'}`,
      ]),
  ...(isOwnedHere ? ['the service does not store which catalog owns what: only this machine records it'] : []),
]

export function noteNotOffered(plan: Plan, { note }: Pick<Output, 'note'>): void {
  for (const line of notOfferedLines(plan)) note(line)
}

/** The same as data, for --json and saved plans. */
export const notOfferedJson = ({ unchecked, checked, isOwnedHere }: Plan) => ({
  ...(unchecked !== undefined && { unchecked }),
  ...(checked !== undefined && { checked }),
  ...(isOwnedHere && { owned_here: true as const }),
})
