import { expect, test } from 'vitest'
import { commandFailures, statusFailure } from '../../../src/cli/failure/command-failures.ts'
import { errorCatalogue } from '../../../src/contract/api/errors.ts'
import { serviceFailures } from '../../../src/contract/service-failures.ts'
import { publisher } from '../../support/vatom.ts'

interface Row {
  readonly code: string
  readonly source: string
  readonly title: string
  readonly remedy: string | null
}

test('explain says of every error of a command, and of the service on this machine, what it means and what to do', async () => {
  const { json } = await publisher()
  for (const [source, notes] of [
    ['command', commandFailures],
    ['service on this machine', serviceFailures],
  ] as const)
    for (const [code, { title, remedy }] of Object.entries(notes))
      expect(await json('explain', code)).toEqual({ code, source, title, remedy })
  expect(await json('explain', 'http_502')).toEqual({ code: 'http_502', source: 'answer', ...statusFailure })
})

test('explain knows the code that the error of a command has', async () => {
  const { vatom } = await publisher()
  const { out, code } = await vatom('emit', '--json')
  const { error } = JSON.parse(out) as { error: { code: string } }
  expect({ code, error }).toMatchObject({ code: 2, error: { code: 'usage' } })
  const { title, remedy } = commandFailures.usage
  expect(await vatom('explain', error.code)).toEqual({
    code: 0,
    out: `usage\n${title}\n\n  severity   error, of the command\n  remedy     ${remedy}\n`,
    err: '',
  })
})

test('explain --codes lists each code once, those of errors of the service as results have them', async () => {
  const { vatom, json } = await publisher()
  const rows = (await json('explain', '--codes')) as Row[]
  const codes = rows.map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).toEqual(expect.arrayContaining(['usage', 'db_busy', 'http_STATUS', 'name_taken']))
  expect(codes).not.toContain('nameTaken')
  expect(rows.find(({ code }) => code === 'name_taken')).toEqual({
    code: 'name_taken',
    source: 'service',
    title: errorCatalogue.nameTaken.title,
    remedy: null,
  })
  expect(rows.filter(({ title, remedy }) => /[.!]$/.test(title) || remedy === '')).toEqual([])
  expect((await vatom('explain', '--codes')).out.trimEnd().split('\n')).toHaveLength(rows.length)
})

test('explain of a code that is nearly one names it, and one list is asked for at a time', async () => {
  const { vatom } = await publisher()
  expect(await vatom('explain', 'ambigous_nam')).toMatchObject({
    code: 2,
    err: expect.stringContaining('did you mean ambiguous_name?'),
  })
  expect(await vatom('explain', '--codes', '--rules')).toMatchObject({ code: 2, out: '' })
  expect(await vatom('explain', 'usage', '--codes')).toMatchObject({
    code: 2,
    err: expect.stringContaining('give a field or --codes, not both'),
  })
})

test('completion offers codes to explain', async () => {
  const { vatom } = await publisher()
  expect((await vatom('__complete', 'fields', '--', 'changed_m')).out).toBe('changed_meanwhile\n')
})
