import type * as z from 'zod/v4'
import { Discover } from '../../contract/api/discover.ts'
import { Scenario } from '../../contract/api/scenario.ts'
import { ProfileDocument } from '../../contract/api/user.ts'
import { factsOf } from '../../contract/kinds/kinds.ts'
import { ProjectFile } from '../../contract/project.ts'
import { schemaIssues } from '../../contract/schema/issues.ts'
import { isObject } from '../../contract/schema/path.ts'
import { valueIssues } from './document-issues.ts'
import { expandQuery } from './expand.ts'
import { type LoadedValue, loadValue } from './load-one.ts'
import type { ReadOptions } from './read.ts'

interface FileOptions extends ReadOptions {
  readonly cwd: string
}

/** Changes of a profile from a file. Spec 4.2. */
export const loadProfile = (input: string, options: FileOptions) =>
  uncorrected(
    loadValue(input, {
      ...options,
      ...fieldsOf(ProfileDocument()),
      noun: 'profile',
      spec: factsOf('profile').specAt([]),
    }),
  )

interface QueryOptions extends FileOptions {
  readonly publisher?: string | undefined
}

/** A search from a file, with short field names and `$publisher` expanded. Spec 4.4. */
export const loadQuery = (input: string, { publisher, ...options }: QueryOptions) =>
  uncorrected(
    loadValue(input, {
      ...options,
      ...fieldsOf(Discover()),
      noun: 'query',
      spec: factsOf('discover').specAt([]),
      expand: (value) => expandQuery(value, publisher),
    }),
  )

/** What a service does to requests in a test, from a file. */
export const loadScenario = (input: string, options: FileOptions) =>
  uncorrected(loadValue(input, { ...options, issues: scenarioIssues, is: isScenario, noun: 'scenario' }))

/** A value that no command corrects, so that no hint says so. */
async function uncorrected<V>(loading: Promise<LoadedValue<V>>): Promise<LoadedValue<V>> {
  const loaded = await loading
  return { ...loaded, problems: loaded.problems.map(({ edit: _, ...problem }) => problem) }
}

/** What a catalog is called, and which files are not its documents. */
export const loadProject = (input: string, options: FileOptions) =>
  loadValue(input, { ...options, issues: issuesOf(ProjectFile()), is: isProject, noun: 'project file' })

const isProject = (value: unknown): value is ProjectFile => ProjectFile().safeParse(value).success

const issuesOf = (schema: z.ZodType) => (value: unknown) => valueIssues(schema, value)
const fieldsOf = (schema: z.ZodType) => ({ issues: issuesOf(schema), is: isObject })

const isScenario = (value: unknown): value is Scenario => Scenario().safeParse(value).success

function scenarioIssues(value: unknown) {
  const { error } = Scenario().safeParse(value)
  return error ? schemaIssues(Scenario(), value, error) : []
}
