import type { KindName } from '../../contract/values.ts'

type Verbs = Readonly<Record<KindName, string>>

/** The verb of each noun that makes records of files. */
export const making: Verbs = { template: 'create', variation: 'create', face: 'register', action: 'register' }
export const checking: Verbs = { template: 'validate', variation: 'validate', face: 'validate', action: 'validate' }
export const updating: Verbs = { template: 'update', variation: 'update', face: 'update', action: 'update' }
