import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { nameList } from '../../../contract/schema/suggest.ts'
import { loadInOrder } from '../../../documents/load/load.ts'
import type { Context } from '../../context.ts'
import { styled } from '../../io/text.ts'
import { sourceOf } from '../../kinds/load-checked.ts'
import { digestOf } from '../plan/compare-record.ts'
import type { ReadPlan } from '../plan/saved-plan.ts'
import { planAgain } from '../plan/takeovers.ts'

/** Warns of files here that say something else than when a plan was made of them: it sends what they said then. */
export async function warnOfChangedFiles(saved: ReadPlan, context: Context): Promise<void> {
  const { content } = saved
  const { host, output } = context
  const planned = groupBy(content.documents, ({ file }) => file)
  const written = [...planned.keys()].filter((file) => isNewer(resolve(host.cwd, file), content.when_planned))
  if (written.length === 0) return
  const { documents } = await loadInOrder(written, { ...sourceOf(context), publisher: content.publisher })
  const now = groupBy(documents, ({ file }) => file)
  const changed = written.filter((file) => contentsOf(planned.get(file)) !== contentsOf(now.get(file)))
  if (changed.length === 0) return
  output.warn(
    styled`${nameList(changed)} changed after the plan was made, which sends what was reviewed; to send the change, plan again: ${output.hint(planAgain(saved))}`,
  )
}

/** Whether a file was written after a plan was made; one that is not here was not, nor a pipe, which would be waited for. */
function isNewer(path: string, when: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.mtimeMs > Date.parse(when)
}

/** The contents of documents in a form to be compared. */
const contentsOf = (documents: readonly { readonly value: unknown }[] = []) =>
  documents
    .map(({ value }) => digestOf(value))
    .sort()
    .join()
