import type { Output } from '../../io/output.ts'
import { type Line, styled } from '../../io/text.ts'
import { labelOf } from '../catalog-names.ts'
import type { Ownership } from '../owners.ts'
import { planWritesOf } from './chain-charges.ts'
import { isPublishing, type Plan } from './plan.ts'

/** Whether a service stores no labels, so that only this machine records what catalogs with a name own. */
export const ownedHere = ({ catalogs, labels }: Pick<Ownership, 'catalogs' | 'labels'>): boolean =>
  labels === undefined && Object.values(catalogs).some((catalog) => labelOf(catalog) !== null)

/** What the service did not do for a plan, because it does not offer it. */
export const notOfferedLines = (plan: Plan): Line[] => [...uncheckedLines(plan), ...ownerLines(plan)]

function uncheckedLines(plan: Plan): Line[] {
  const { unchecked, checked } = plan
  if (unchecked === undefined) return []
  if (checked === undefined) return [styled`${unchecked}: the service does not check the plan`]
  const final = planWritesOf(plan).charged.length > 0 || plan.steps.some((step) => isPublishing(plan, step))
  return [
    styled`the service does not check the rest of the plan: if it refuses a document of that, others are sent all the same${final ? ', charges and publishing included' : ''}; ${unchecked}`,
  ]
}

const ownerLines = ({ isOwnedHere }: Plan): Line[] =>
  isOwnedHere ? ['the service does not store which catalog owns what: only this machine records it'] : []

/** Says so before anything is sent; a plan of which the service checks a part looks like one that it has checked. */
export function noteNotOffered(plan: Plan, { note, warn }: Pick<Output, 'note' | 'warn'>): void {
  const say = plan.checked === undefined ? note : warn
  for (const line of uncheckedLines(plan)) say(line)
  for (const line of ownerLines(plan)) note(line)
}

/** The same as data, for --json and saved plans. */
export const notOfferedJson = ({ unchecked, checked, isOwnedHere }: Plan) => ({
  ...(unchecked !== undefined && { unchecked }),
  ...(checked !== undefined && { checked }),
  ...(isOwnedHere && { owned_here: true as const }),
})
