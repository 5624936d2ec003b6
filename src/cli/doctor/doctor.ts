import { plural } from '../../contract/schema/wording.ts'
import { type Context, once } from '../context.ts'
import type { FailureCode } from '../failure/codes.ts'
import { exit, Reported } from '../failure/failure.ts'
import type { Output } from '../io/output.ts'
import { type Line, styled, wrapped } from '../io/text.ts'
import { type Check, type Checked, checked, warn } from './check.ts'
import { cache, codeCache, configuration, data, node, proxies, sqlite, variables } from './machine-checks.ts'
import { context, plans, publisher, service, session } from './service-checks.ts'

interface Step {
  readonly name: string
  readonly check: Check
  /** Checks that must succeed before this one is made. */
  readonly after?: readonly string[]
}

const steps: readonly Step[] = [
  { name: 'node', check: node },
  { name: 'sqlite', check: sqlite },
  { name: 'configuration', check: configuration },
  { name: 'variables', check: variables },
  { name: 'context', check: context },
  { name: 'proxies', check: proxies },
  { name: 'service', check: service, after: ['context', 'proxies'] },
  { name: 'session', check: session, after: ['context', 'service'] },
  { name: 'publisher', check: publisher, after: ['sqlite', 'context', 'service', 'session'] },
  { name: 'plans', check: plans, after: ['sqlite', 'context', 'service', 'session', 'publisher'] },
  { name: 'data', check: data },
  { name: 'cache', check: cache },
  { name: 'code cache', check: codeCache },
]

/** Makes every check, one after the other, and prints the results; throws Reported where one failed. */
export async function doctor(all: Context): Promise<void> {
  const found: Checked[] = []
  const profile = once(async () => (await all.connect()).client.getProfile({}))
  for (const step of steps)
    found.push(unchecked(step, found) ?? (await checked(step.name, () => step.check(all, profile), all.host)))
  const count = (status: Checked['status']) => found.filter((one) => one.status === status).length
  const failed = count('fail')
  const message = `${plural(failed, 'check')} failed`
  const checks = found.map(({ name, status, message, hint }) => ({ name, status, message, hint: hint ?? null }))
  const summary = { total: found.length, ok: count('ok'), warn: count('warn'), fail: failed }
  const error = failed > 0 && { error: { code: 'unhealthy' satisfies FailureCode, message, hint: null, issues: [] } }
  all.output.result({ checks, summary, ...error }, () => found.flatMap((one) => linesOf(one, all.output)))
  if (failed === 0) return
  throw new Reported(exit.refused, [styled`${all.output.notePaint.red('error:')} ${message}`])
}

/** The result of a check that is not made, because one that must succeed before it failed. */
function unchecked({ name, after = [] }: Step, found: readonly Checked[]): Checked | undefined {
  const missing = found.find((one) => after.includes(one.name) && one.status === 'fail')
  return missing && { name, ...warn(`not checked: ${missing.name} failed`) }
}

const indent = 21

function linesOf({ name, status, message, hint }: Checked, { paint, columns }: Output): Line[] {
  const colour = { ok: paint.green, warn: paint.yellow, fail: paint.red }[status]
  const text = [message, ...(hint === undefined ? [] : [`-> ${hint}`])]
  const [first = '', ...rest] = text.flatMap((one) => wrapped(one, Math.max(30, columns - indent)))
  return [
    styled`${colour(status.padEnd(4))}  ${name.padEnd(indent - 6)}${first}`,
    ...rest.map((line) => `${' '.repeat(indent)}${line}`),
  ]
}
