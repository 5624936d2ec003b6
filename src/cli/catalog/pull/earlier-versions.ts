import { plural } from '../../../contract/schema/wording.ts'
import type { Context } from '../../context.ts'
import { styled } from '../../io/text.ts'
import { isDraft } from '../../kinds/requests.ts'
import { earlierThan } from '../versions.ts'
import type { Existing } from './existing-catalog.ts'
import type { Family } from './read-service.ts'

/**
 * Published templates that no file names, while the catalog has a later version of each: nothing of theirs but faces and
 * actions can change.
 */
export function earlierVersions(families: readonly Family[], documents: readonly Existing[]): ReadonlySet<string> {
  const named = new Set(documents.map(({ template }) => template))
  const isEarlierVersion = earlierThan(named)
  const isEarlier = ({ name, records }: Family) =>
    !isDraft(records.template[0]) && !named.has(name) && isEarlierVersion(name)
  return new Set(families.filter(isEarlier).map(({ name }) => name))
}

/** Says which templates were left out, and how to get them. */
export function noteEarlier(names: ReadonlySet<string>, command: string, { output }: Pick<Context, 'output'>): void {
  if (names.size === 0) return
  output.note(
    styled`${plural(names.size, 'published template')} with a later version in the files ${names.size === 1 ? 'was' : 'were'} left out: ${[...names].join(', ')}; to write ${names.size === 1 ? 'it' : 'them'} too: ${output.hint(`${command} --all-versions`)}`,
  )
}
