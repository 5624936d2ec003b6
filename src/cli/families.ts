import type { Command } from 'commander'
import type { Context } from './context.ts'
import type { FamilyName } from './words.ts'

/** What a family's module brings: the top-level commands it answers. */
export interface Family {
  readonly commands: (context: Context) => readonly Command[]
}

/** Each family is loaded when it is asked for, and is a bundle of its own when built. */
export const families: Readonly<Record<FamilyName, () => Promise<Family>>> = {
  account: () => import('./commands/account.ts'),
  workflow: () => import('./commands/workflow.ts'),
  template: () => import('./commands/template/index.ts'),
  variation: () => import('./commands/variation/index.ts'),
  face: () => import('./commands/face/index.ts'),
  action: () => import('./commands/action/index.ts'),
  asset: () => import('./commands/asset/index.ts'),
  emit: () => import('./commands/emit.ts'),
  vatom: () => import('./commands/vatom/index.ts'),
  act: () => import('./commands/act/index.ts'),
  discover: () => import('./commands/discover/index.ts'),
  reference: () => import('./commands/reference.ts'),
  api: () => import('./commands/api/index.ts'),
  help: () => import('./commands/help/index.ts'),
  completion: () => import('./commands/completion/index.ts'),
  complete: () => import('./commands/complete.ts'),
  doctor: () => import('./commands/doctor/index.ts'),
  init: () => import('./commands/init/index.ts'),
  pull: () => import('./commands/pull/index.ts'),
  serve: () => import('./commands/serve/index.ts'),
  snapshot: () => import('./commands/snapshot/index.ts'),
}
