import { kindOf } from '../../contract/kinds/kinds.ts'
import { at } from '../../contract/schema/path.ts'
import type { KindName } from '../../contract/values.ts'
import type { Section } from '../../contract/vatom/complete.ts'

/** What a publisher can change of a record. */
export const valuesOf = (kind: KindName, record: Section): unknown =>
  kindOf(kind).hasDrafts ? kindOf(kind).documentOf(record) : record.properties

/** What shows that a record was changed, or made anew: its values, and the times of both where the service says them. */
export const stateOf = (kind: KindName, records: readonly Section[]): string =>
  JSON.stringify(records.map((record) => [valuesOf(kind, record), ...times.map((time) => at(record, 'meta', time))]))

const times = ['when_created', 'when_modified']

/** The state of what is not there. */
export const noRecord = JSON.stringify([])
