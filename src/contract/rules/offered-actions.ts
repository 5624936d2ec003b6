import { action } from '../kinds/action.ts'
import { textOf } from '../kinds/minimal.ts'
import { carriedOutBy, type Permit, type StandardAction, standardAction } from '../kinds/standard-actions.ts'
import { at } from '../schema/path.ts'
import { shortName } from '../values.ts'
import { sectionOf } from '../vatom/complete.ts'
import { policyActions } from './policy-actions.ts'

/** An action that vAtoms offer, and what it does, which goes by its reactor and not by its name. */
export interface OfferedAction {
  /** Without its template. */
  readonly name: string
  /** The standard action that it is, whatever it is called. */
  readonly standard: StandardAction | undefined
  /** Whether it cannot be taken back, or something that its policy runs. */
  readonly isFinal: boolean
  /** The property of a vAtom without which its reactor refuses it; undefined where there is none, or a handler decides. */
  readonly permit: Permit | undefined
}

/** The actions of a template, by their records. */
export function offeredActions(records: readonly unknown[]): OfferedAction[] {
  const documents = records.map((record) => action.documentOf(sectionOf(record)))
  const standards = new Map(documents.map((document) => [action.nameOf(document), standardOf(document)]))
  return documents.map((document) => {
    const name = action.nameOf(document)
    const run = [name, ...policyActions(document).map(({ full }) => full)]
    const isFinal = run.some((one) => standards.get(one)?.isFinal === true)
    return { name: shortName(name), standard: standards.get(name), isFinal, permit: permitOf(document) }
  })
}

/** An action whose record cannot be read: what it does is guessed by its name. */
export function unreadAction(name: string): OfferedAction {
  const standard = standardAction(name)
  return { name, standard, isFinal: standard?.isFinal === true, permit: undefined }
}

const reactorOf = (document: unknown) => textOf(at(document, 'reactor'))

const standardOf = (document: unknown): StandardAction | undefined =>
  standardAction(shortName(action.nameOf(document)), reactorOf(document))

const permitOf = (document: unknown): Permit | undefined => carriedOutBy(reactorOf(document))?.permit
