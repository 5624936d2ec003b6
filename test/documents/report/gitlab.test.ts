import { readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Problem } from '../../../src/documents/load/loaded.ts'
import { plain, render } from '../../../src/documents/report/render.ts'
import { publisher } from '../../support/vatom.ts'

const problem: Problem = {
  file: 'a.yaml',
  line: 2,
  column: 1,
  endLine: 3,
  endColumn: 4,
  rule: 'r',
  severity: 'error',
  path: 'p',
  message: 'm',
}
const report = (problems: readonly Problem[], folder = '') =>
  JSON.parse(render('gitlab', problems, { paint: plain, width: 80, sources: new Map(), folder }))

test('a code quality report has what GitLab requires of each issue, and is never empty text', () => {
  expect(report([])).toEqual([])
  expect(report([problem, { ...problem, severity: 'warning', hint: 'h' }])).toEqual([
    {
      description: 'm',
      check_name: 'r',
      fingerprint: expect.stringMatching(/^[\da-f]{32}:1$/),
      severity: 'critical',
      location: { path: 'a.yaml', lines: { begin: 2, end: 3 } },
    },
    expect.objectContaining({ description: 'm; h', severity: 'minor', fingerprint: expect.stringMatching(/:2$/) }),
  ])
})

test('a problem of a whole file is on its first line, and keeps its fingerprint when its line moves', () => {
  const { line: _, column: __, endLine: ___, endColumn: ____, ...whole } = problem
  expect(report([whole])[0].location).toEqual({ path: 'a.yaml', lines: { begin: 1, end: 1 } })
  expect(report([{ ...problem, line: 9, endLine: 9 }])[0].fingerprint).toBe(report([problem])[0].fingerprint)
})

test('files are named from the root of the checkout, without ./', () => {
  expect(report([{ ...problem, file: './x\\a.yaml' }], 'shop')[0].location.path).toBe('shop/x/a.yaml')
})

test('the fingerprint is of the file in the checkout, whatever the working directory', () => {
  const fingerprintOf = (folder: string, file: string) => report([{ ...problem, file }], folder)[0].fingerprint
  expect(fingerprintOf('shop', 'a.yaml')).not.toBe(fingerprintOf('tea', 'a.yaml'))
  expect(fingerprintOf('shop', 'a.yaml')).toBe(fingerprintOf('', 'shop/a.yaml'))
})

test('validate writes one, with paths below CI_PROJECT_DIR', async () => {
  const { run, home, file } = await publisher()
  file('coffee.yaml', 'kind: template\n')
  const found = await run(['validate', 'coffee.yaml', '--format', 'gitlab'], { env: { CI_PROJECT_DIR: `${home}/..` } })
  expect(found.code).toBe(3)
  const [first] = JSON.parse(found.out)
  expect(first).toMatchObject({ severity: 'critical', location: { lines: { begin: 1 } } })
  expect(first.location.path).toMatch(/^[^./][^/]*\/coffee\.yaml$/)
})

test('every report names files from the root of the checkout, also where they are given by absolute paths', async () => {
  const { run, home, file } = await publisher()
  file('coffee.yaml', 'kind: template\n')
  const env = { CI_PROJECT_DIR: dirname(home) }
  const named = `${basename(home)}/coffee.yaml`
  for (const given of ['coffee.yaml', join(home, 'coffee.yaml'), `${home}/../${named}`]) {
    const outOf = async (format: string) => (await run(['validate', given, '--format', format], { env })).out
    expect(JSON.parse(await outOf('gitlab'))[0].location.path).toBe(named)
    expect(await outOf('sarif')).toContain(`"uri": "${named}"`)
    expect(await outOf('github')).toContain(`file=${named},`)
    await run(['plan', given, '--junit', 'report.xml'], { env })
    expect(readFileSync(join(home, 'report.xml'), 'utf8')).toContain(` file="${named}"`)
  }
  const outside = await run(['validate', join(home, 'coffee.yaml'), '--format', 'gitlab'], {
    env: { CI_PROJECT_DIR: '/elsewhere' },
  })
  expect(JSON.parse(outside.out)[0].location.path).toBe(join(home, 'coffee.yaml'))
})

test('every report names files from the root of a checkout that a link leads to', async () => {
  const { run, home, file } = await publisher()
  file('checkout/shop/coffee.yaml', 'kind: template\n')
  const link = join(home, 'workspace')
  symlinkSync(join(home, 'checkout'), link)
  const options = { env: { GITHUB_WORKSPACE: link }, cwd: 'checkout/shop' }
  for (const given of ['coffee.yaml', join(home, 'checkout/shop/coffee.yaml'), join(link, 'shop/coffee.yaml')]) {
    const outOf = async (format: string) => (await run(['validate', given, '--format', format], options)).out
    expect(JSON.parse(await outOf('gitlab'))[0].location.path).toBe('shop/coffee.yaml')
    expect(await outOf('sarif')).toContain('"uri": "shop/coffee.yaml"')
    expect(await outOf('github')).toContain('file=shop/coffee.yaml,')
    await run(['plan', given, '--junit', 'report.xml'], options)
    expect(readFileSync(join(home, 'checkout/shop/report.xml'), 'utf8')).toContain(' file="shop/coffee.yaml"')
  }
})
