import { isObject } from '../../../contract/schema/path.ts'

export const scenarioPath = '/__vatom/scenario'

/** A rule as it was set: without how often it is still applied, and without what it does not limit. */
export const ruleText = (rule: unknown): string =>
  JSON.stringify(
    isObject(rule)
      ? Object.fromEntries(Object.entries(rule).filter(([name, value]) => name !== 'remaining' && value !== null))
      : rule,
  )
