import { isObject } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import type { ProcessMark } from '../../processes.ts'

/** The process that the text of a file names; undefined where it names none. */
export function markIn(text: string): ProcessMark | undefined {
  const mark = parseJson(text)
  if (!isObject(mark)) return undefined
  const { pid, host, started, ids, boot } = mark
  if (!isProcessId(pid) || typeof host !== 'string') return undefined
  return isTextIfAny(started) && isTextIfAny(ids) && isTextIfAny(boot) ? { pid, host, started, ids, boot } : undefined
}

const isProcessId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
const isTextIfAny = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'
