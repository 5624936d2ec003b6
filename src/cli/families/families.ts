import type { Command } from 'commander'
import type { Context } from '../context.ts'
import type { FamilyName } from '../words.ts'

/** What a family's module brings: the top-level commands it answers. */
export interface Family {
  readonly commands: (context: Context) => readonly Command[]
}

/** Each family is loaded when it is asked for, and is a bundle of its own when built. */
export const families: Readonly<Record<FamilyName, () => Promise<Family>>> = {
  account: () => import('./account.ts'),
  workflow: () => import('./workflow.ts'),
  template: () => import('../commands/template/index.ts'),
  variation: () => import('../commands/variation/index.ts'),
  face: () => import('../commands/face/index.ts'),
  action: () => import('../commands/action/index.ts'),
  asset: () => import('../commands/asset/index.ts'),
  emit: () => import('../commands/emit.ts'),
  vatom: () => import('./vatom.ts'),
  act: () => import('../commands/act.ts'),
  discover: () => import('../commands/discover.ts'),
  reference: () => import('./reference.ts'),
  api: () => import('../commands/api.ts'),
  help: () => import('../commands/help.ts'),
  completion: () => import('../commands/completion.ts'),
  complete: () => import('../commands/__complete.ts'),
  doctor: () => import('../commands/doctor.ts'),
  init: () => import('../commands/init.ts'),
  pull: () => import('../commands/pull.ts'),
  serve: () => import('../commands/serve.ts'),
  snapshot: () => import('../commands/snapshot/index.ts'),
}
