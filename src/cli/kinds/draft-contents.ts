import type { Client } from '../../client/client.ts'
import { variation } from '../../contract/kinds/variation.ts'
import { at } from '../../contract/schema/path.ts'
import { plural } from '../../contract/schema/wording.ts'
import type { Section } from '../../contract/vatom/complete.ts'
import { allRecords, ifFound, isDraft, readRecord } from './requests.ts'

/** The vAtoms that are deleted with drafts of variations; a service may not report how many there are. */
export function emittedText(records: readonly Section[]): readonly string[] {
  const drafts = records.filter(isDraft)
  const counts = drafts.map((record) => at(record, 'properties', 'num_vatoms'))
  if (counts.some((count) => typeof count !== 'number')) return ['what was emitted']
  const sum = counts.reduce<number>((total, count) => total + Number(count), 0)
  return sum === 0 ? [] : [plural(sum, 'vAtom')]
}

/** What is deleted with a variation. */
export async function emittedOf(client: Client, name: string): Promise<readonly string[]> {
  const record = await ifFound(readRecord(client, variation, name))
  return record ? emittedText([record]) : []
}

/** What is deleted with a template, besides its faces and actions. */
export async function variationsOf(client: Client, template: string): Promise<readonly string[]> {
  const fields = 'name,properties(unpublished,num_vatoms)'
  const records = await allRecords(client, variation, { template, fields })
  return records.length === 0 ? [] : [plural(records.length, 'variation'), ...emittedText(records)]
}

/** ` with its faces, 2 variations and 5 vAtoms`; empty for nothing. */
export function withAll(parts: readonly string[]): string {
  if (parts.length === 0) return ''
  const list = parts.length === 1 ? parts : [parts.slice(0, -1).join(', '), parts.at(-1)]
  return ` with ${list.join(' and ')}`
}
