import { Discover } from '../../contract/api/discover.ts'
import { sections } from '../../contract/schema/spec-sections.ts'
import { expandQuery } from './expand.ts'
import { type LoadedOne, loadOne } from './load-one.ts'
import type { ReadOptions } from './read.ts'

export interface LoadQueryOptions extends ReadOptions {
  readonly cwd: string
  readonly publisher?: string | undefined
}

/** A search from a file: short field names and `$publisher` are written out. Spec 4.4. */
export const loadQuery = (input: string, { cwd, readStdin, signal, publisher }: LoadQueryOptions): Promise<LoadedOne> =>
  loadOne(input, {
    cwd,
    readStdin,
    signal,
    schema: Discover(),
    noun: 'query',
    spec: sections.discover([]),
    expand: (value) => expandQuery(value, publisher),
  })
