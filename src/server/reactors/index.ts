import { localReactor } from '../../contract/values.ts'
import { open } from './open.ts'
import type { Reactor } from './reactor.ts'

/** The reactors that the service carries out, by name. */
export const reactors: ReadonlyMap<string, Reactor> = new Map([[localReactor, open]])
