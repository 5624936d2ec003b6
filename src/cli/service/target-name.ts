import { createHash } from 'node:crypto'
import type { NetworkTarget, Target } from './target.ts'

/** Identifies a service, as one application sees it, in saved plans and apply ledgers. */
export const targetName = (target: Target): string => (target.kind === 'local' ? target.name : addressName(target))

/** The `targetName` of a service with an address. */
export const addressName = ({ baseUrl, appId }: Pick<NetworkTarget, 'baseUrl' | 'appId'>): string =>
  `${baseUrl} (application ${appId})`

/** The name of the files that are about a service, by its `targetName`. */
export const targetFile = (target: string): string => createHash('sha256').update(target).digest('hex').slice(0, 16)
