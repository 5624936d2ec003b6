import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { digestOf } from '../../../../src/cli/catalog/plan/compare-record.ts'
import { limits } from '../../../../src/contract/limits.ts'
import { catalogDesk } from '../../../fixtures/catalog.ts'
import { variation } from '../../../fixtures/yaml.ts'

const warning = { file: 'a.yaml', rule: 'r', severity: 'warning', path: '', message: 'm' }
const warned = (count: number) => Array.from({ length: count }, () => warning)

/** A desk with a saved plan that has a warning of a document, and so many others. */
async function planned(count: number) {
  const desk = await catalogDesk()
  await desk.vatom('plan', 'catalog', '--out', 'the.plan')
  const { content, ...head } = JSON.parse(readFileSync(join(desk.home, 'the.plan'), 'utf8'))
  const [first, ...others] = content.documents
  const edited = { ...content, documents: [{ ...first, warnings: [warning] }, ...others], warnings: warned(count) }
  desk.file('the.plan', JSON.stringify({ ...head, digest: digestOf(edited), content: edited }))
  return desk
}

test('a saved plan has a bounded number of warnings, wherever they are in it', async () => {
  const most = await planned(limits.savedWarnings - 1)
  expect(await most.vatom('plan', 'show', 'the.plan')).toMatchObject({
    code: 0,
    err: expect.stringContaining('= also: in a.yaml, '),
  })
  const more = await planned(limits.savedWarnings)
  expect(await more.vatom('plan', 'show', 'the.plan')).toMatchObject({
    code: 2,
    err: expect.stringContaining('the.plan is not a complete saved plan'),
  })
})

test('a plan with more warnings than it can be read with is shown and not saved', async () => {
  const most = vi.spyOn<{ savedWarnings: number }, 'savedWarnings'>(limits, 'savedWarnings', 'get').mockReturnValue(500)
  onTestFinished(() => most.mockRestore())
  const { file, run, vatom } = await catalogDesk()
  const ignored = '# vatom-ignore private-address\n'.repeat(limits.problems)
  for (let at = 0; at <= limits.savedWarnings / limits.problems; at++)
    file(`catalog/more-${at}.yaml`, ignored + variation().replace('::Red', `::Red${at}`))
  expect(await vatom('plan', 'catalog', '--out', 'the.plan')).toMatchObject({
    code: 2,
    out: expect.stringContaining('Plan for '),
    err: expect.stringMatching(
      /error: The plan was not saved: it has 6\d\d warnings; a plan has 500 at most\nhint: correct/,
    ),
  })
  expect((await run(['plan', 'show', 'the.plan'])).err).toContain('the.plan does not exist')
})
