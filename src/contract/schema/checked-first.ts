import type * as z from 'zod/v4'
import type { Path } from './path.ts'

/** What is wrong with a value as a whole: the rule that it breaks, and a message at a place in it. */
interface Problem {
  readonly path: Path
  readonly rule: string
  readonly message: string
}

/**
 * Has a schema look at nothing of a value in which a problem is found first: thousands of errors in it would keep others
 * waiting. zod does so with lists that are too long, each for itself. The schema is changed, and returned.
 */
export function checkedFirst<S extends z.ZodType>(schema: S, problemIn: (value: unknown) => Problem | undefined): S {
  const internals: z.core.$ZodTypeInternals = schema._zod
  const { run } = internals
  internals.run = (payload, context) => {
    const problem = problemIn(payload.value)
    if (problem === undefined) return run(payload, context)
    const { path, rule, message } = problem
    payload.issues.push({
      code: 'custom',
      path: [...path],
      message,
      params: { rule },
      input: payload.value,
      inst: schema,
      continue: false,
    })
    return payload
  }
  return schema
}
