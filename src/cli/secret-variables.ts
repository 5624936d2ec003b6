import type { Host } from './host.ts'

/** Variables of this tool that hold a secret, also under names that it does not read. */
const secret = /^VATOM_(?:\w+_)?(?:TOKEN|PASSWORD)$/

/** The environment of a program that is shown what others wrote, such as a browser: without tokens and passwords. */
export const withoutSecrets = (env: Host['env']): Host['env'] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !secret.test(name)))
