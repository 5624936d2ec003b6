import { type StandardAction, standardActions } from '../../contract/kinds/standard-actions.ts'
import type { Context } from '../context.ts'
import { styled, wrapped } from '../io/text.ts'
import { factLines } from './explain-path.ts'

/** Prints what is known of a standard action, by its name; false if there is none. */
export async function explainAction(given: string, { output }: Context): Promise<boolean> {
  const action = standardActions.find(({ name }) => name.toLowerCase() === given.toLowerCase())
  if (action === undefined) return false
  const { name, reactor, by, does, inputs, on, isFinal = false } = action
  const needs = needsOf(action) ?? null
  await output.listing({ name, reactor, does, by, on: on?.what ?? null, needs, inputs, final: isFinal }, () => [
    styled`${output.paint.bold(name)}`,
    ...wrapped('A standard action. A vAtom has it if an action of its template names the reactor.', output.columns),
    '',
    ...factLines(factsOf(action), output),
  ])
  return true
}

function factsOf(action: StandardAction) {
  const { name, reactor, by, does, inputs, on, isFinal } = action
  const needs = needsOf(action)
  const taken = inputs.map(({ keys, required }) => `${keys.join(' or ')}${required ? '' : ' (optional)'}`)
  return [
    ['reactor', `${reactor} (vatom help reactors)`] as const,
    ['does', does] as const,
    ['by', by] as const,
    ...(on === undefined ? [] : [['on', on.what] as const]),
    ...(needs === undefined ? [] : [['needs', needs] as const]),
    ...(taken.length === 0 ? [] : [['inputs', taken.join(', ')] as const]),
    ['final', isFinal ? 'yes: its owner cannot take it back' : 'no'] as const,
    ['perform', `vatom act ${name} ID (vatom act --help)`] as const,
    ['spec', '2.4 (vatom help specification)'] as const,
  ]
}

/** What its documents have to say of a vAtom, so that an action is permitted; undefined for one that is in any case. */
function needsOf({ permit, opens }: StandardAction): string | undefined {
  if (permit) return `${permit.property}: true${permit.unset ? ', which is the default' : ''}`
  return opens && `${opens.map((field) => `${field}: true`).join(' and ')} in the variation`
}
