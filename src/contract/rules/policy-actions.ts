import { kindOf } from '../kinds/kinds.ts'
import { at, listAt, type Path } from '../schema/path.ts'
import { actionInfix } from '../values.ts'

/** An action that the policy of another one names. */
export interface PolicyAction {
  readonly path: Path
  /** As the policy names it: `Check`, or its whole name. */
  readonly called: string
  /** Its whole name, in the template of the other one. */
  readonly full: string
}

/** The actions that the policy of an action names, without the action itself. */
export function policyActions(action: unknown): PolicyAction[] {
  const template = kindOf('action').templateOf(action)
  if (template === undefined) return []
  const prefix = `${template}${actionInfix}`
  return ['pre', 'post'].flatMap((stage) =>
    listAt(action, 'policy', stage).flatMap((called, index) => {
      if (typeof called !== 'string') return []
      const full = called.startsWith(prefix) ? called : `${prefix}${called}`
      return full === at(action, 'name') ? [] : [{ path: ['policy', stage, index], called, full }]
    }),
  )
}
