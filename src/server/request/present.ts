import type { Environment } from '../environment.ts'
import { storeOfEra } from '../store/eras.ts'

/** What was made last for each service. */
const presents = new WeakMap<Environment, Environment>()

/** The environment for what begins now: once all data is replaced, its store refuses what is written. */
export function presentOf(environment: Environment): Environment {
  const known = presents.get(environment)
  if (known?.store.era().aborted === false) return known
  const present = { ...environment, store: storeOfEra(environment.store) }
  presents.set(environment, present)
  return present
}
