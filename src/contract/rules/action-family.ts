import type { Member } from './catalog.ts'

/** The actions of one template, indexed for the rules that look them up. */
interface ActionFamily {
  readonly names: ReadonlySet<string>
  readonly byName: ReadonlyMap<string, Member>
}

const known = new WeakMap<readonly Member[], ActionFamily>()

/** The index of a template's actions, made once. */
export function actionFamilyOf(actions: readonly Member[]): ActionFamily {
  const family = known.get(actions) ?? indexed(actions)
  known.set(actions, family)
  return family
}

function indexed(actions: readonly Member[]): ActionFamily {
  const byName = new Map(actions.map((one) => [one.name, one]))
  return { names: new Set(byName.keys()), byName }
}
