import type { Context } from '../context.ts'
import { dirsOf, localDatabase } from '../dirs.ts'
import { styled } from '../io/text.ts'
import { ignoredText, localName, type NetworkTarget, type Target } from './target.ts'

const nameOf = ({ name, addressFrom }: NetworkTarget) =>
  name ?? (addressFrom === 'VATOM_BASE_URL' ? 'from the environment' : `from ${addressFrom}`)

/** Says on stderr what a change is made to. */
export function announce(
  target: Target,
  { host, globals, output }: Pick<Context, 'host' | 'globals' | 'output'>,
): void {
  const ignored = ignoredText(globals, host.env)
  if (ignored !== undefined) output.warn(styled`${ignored}`)
  if (target.kind === 'network') output.note(styled`context ${nameOf(target)}: ${target.baseUrl}`)
  else output.note(styled`context ${localName}: this machine only, ${localDatabase(dirsOf(host))}`)
}
