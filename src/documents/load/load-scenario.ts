import { Scenario } from '../../contract/api/scenario.ts'
import { schemaIssues } from '../../contract/schema/issues.ts'
import { type LoadedValue, loadValue } from './load-one.ts'
import type { ReadOptions } from './read.ts'

export interface LoadScenarioOptions extends ReadOptions {
  readonly cwd: string
}

/** What a service is to do to requests, from a file. */
export const loadScenario = (input: string, options: LoadScenarioOptions): Promise<LoadedValue<Scenario>> =>
  loadValue(input, { ...options, issues, is: isScenario, noun: 'scenario' })

const isScenario = (value: unknown): value is Scenario => Scenario().safeParse(value).success

function issues(value: unknown) {
  const { error } = Scenario().safeParse(value)
  return error ? schemaIssues(Scenario(), value, error) : []
}
