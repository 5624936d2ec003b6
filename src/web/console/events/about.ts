import { readableText } from '../../../contract/api/message-text.ts'
import { at, isObject, listAt } from '../../../contract/schema/path.ts'
import { withoutPublisher } from '../../names.ts'
import type { LiveEvent } from '../service/live.ts'
import { isBookkeeping, leavesOf } from '../vatom/leaves.ts'

/** The ids of the vAtoms that a message is about. */
export const vatomsOf = ({ payload }: LiveEvent): string[] =>
  [at(payload, 'id'), at(payload, 'vatom_id'), ...listAt(payload, 'vatoms')].filter((id) => typeof id === 'string')

/** What a message says to its user, in some words. */
export function aboutOf({ type, payload }: LiveEvent, user: string): string {
  const text = (name: string) => String(at(payload, name) ?? '')
  const action = text('action_name')
  if (type === 'inventory') {
    const way = at(payload, 'new_owner') === user ? 'arrives' : 'leaves'
    return `${action}: ${way}, ${withoutPublisher(text('template_variation'))}`
  }
  if (type === 'state_update') return `${action}: ${changed(at(payload, 'new_object')).join(', ')}`
  if (type === 'map')
    return `${action}: ${text('op') === 'add' ? 'lies now' : 'lies no longer'} at ${text('lat')}, ${text('lon')}`
  return text('message') || readableText({ msg: text('msg'), action_name: action })
}

/** The fields that have changed. */
const changed = (record: unknown): string[] =>
  isObject(record)
    ? [...leavesOf(record).keys()].filter((path) => !isBookkeeping(path)).map((path) => path.replace(/^.*::\w+\./, ''))
    : []
