import { Discover } from '../../contract/api/discover.ts'
import { Scenario } from '../../contract/api/scenario.ts'
import { ProfileDocument } from '../../contract/api/user.ts'
import { factsOf } from '../../contract/kinds/kinds.ts'
import { schemaIssues } from '../../contract/schema/issues.ts'
import { expandQuery } from './expand.ts'
import { type LoadedValue, loadOne, loadValue } from './load-one.ts'
import type { ReadOptions } from './read.ts'

interface FileOptions extends ReadOptions {
  readonly cwd: string
}
type Fields = Record<string, unknown>

/** Changes of a profile from a file. Spec 4.2. */
export const loadProfile = (input: string, options: FileOptions): Promise<LoadedValue<Fields>> =>
  loadOne(input, { ...options, schema: ProfileDocument(), noun: 'profile', spec: factsOf('profile').specAt([]) })

interface QueryOptions extends FileOptions {
  readonly publisher?: string | undefined
}

/** A search from a file: short field names and `$publisher` are written out. Spec 4.4. */
export const loadQuery = (input: string, { publisher, ...options }: QueryOptions): Promise<LoadedValue<Fields>> =>
  loadOne(input, {
    ...options,
    schema: Discover(),
    noun: 'query',
    spec: factsOf('discover').specAt([]),
    expand: (value) => expandQuery(value, publisher),
  })

/** What a service is to do to requests, from a file. */
export const loadScenario = (input: string, options: FileOptions): Promise<LoadedValue<Scenario>> =>
  loadValue(input, { ...options, issues: scenarioIssues, is: isScenario, noun: 'scenario' })

const isScenario = (value: unknown): value is Scenario => Scenario().safeParse(value).success

function scenarioIssues(value: unknown) {
  const { error } = Scenario().safeParse(value)
  return error ? schemaIssues(Scenario(), value, error) : []
}
