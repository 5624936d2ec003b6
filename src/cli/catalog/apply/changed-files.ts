import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import { loadInOrder } from '../../../documents/load/load.ts'
import type { Context } from '../../context.ts'
import { styled } from '../../io/text.ts'
import { sourceOf } from '../../kinds/load-checked.ts'
import { digestOf } from '../plan/compare-record.ts'
import type { PlanContent } from '../plan/saved-plan.ts'

/** Warns of files here that say something else than when a plan was made of them: it sends what they said then. */
export async function warnOfChangedFiles(content: PlanContent, context: Context): Promise<void> {
  const { host, output } = context
  const planned = groupBy(content.documents, ({ file }) => file)
  const written = [...planned.keys()].filter((file) => isNewer(resolve(host.cwd, file), content.when_planned))
  if (written.length === 0) return
  const { documents } = await loadInOrder(written, { ...sourceOf(context), publisher: content.publisher })
  const now = groupBy(documents, ({ file }) => file)
  const changed = written.filter((file) => contentsOf(planned.get(file)) !== contentsOf(now.get(file)))
  if (changed.length === 0) return
  const again = content.command === undefined ? 'plan again' : `plan again: ${output.hint(content.command)}`
  output.warn(
    styled`${nameList(changed)} changed after the plan was made, which sends what was reviewed; to send the change, ${again}`,
  )
}

/** Whether a file was written after a plan was made; one that is not here was not. */
const isNewer = (path: string, when: string) =>
  (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > Date.parse(when)

/** The contents of documents in a form to be compared. */
const contentsOf = (documents: readonly { readonly value: unknown }[] = []) =>
  documents
    .map(({ value }) => digestOf(value))
    .sort()
    .join()
