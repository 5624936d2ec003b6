import { Discover } from '../contract/discover.ts'
import { expandQuery } from './expand.ts'
import { type LoadedOne, loadOne } from './load-one.ts'

export interface LoadQueryOptions {
  readonly cwd: string
  readonly readStdin: () => Promise<Uint8Array>
  readonly publisher?: string | undefined
}

/** A search from a file: short field names and `$publisher` are written out. Spec 4.4. */
export const loadQuery = (input: string, { cwd, readStdin, publisher }: LoadQueryOptions): Promise<LoadedOne> =>
  loadOne(input, {
    cwd,
    readStdin,
    schema: Discover,
    noun: 'query',
    spec: '4.4',
    expand: (value) => expandQuery(value, publisher),
  })
