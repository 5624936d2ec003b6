import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { face, template, variation } from '../../fixtures/yaml.ts'
import { publisher } from '../../support/vatom.ts'

test('documents of a folder are held against each other, and the place of both is told', async () => {
  const { vatom, file } = await publisher()
  file('c/coupon.yaml', template())
  file('c/faces.yaml', face(undefined, 'card'))
  const { code, out, err } = await vatom('template', 'validate', 'c')
  expect({ code, out }).toEqual({ code: 0, out: 'valid template local.vatom::Coupon::v1 (c/coupon.yaml)\n' })
  expect(err).toContain(
    'warning[icon-face]: the template has faces but no icon face; the first face is at c/faces.yaml:1:11',
  )
  expect(err).toContain('--> c/coupon.yaml:1:11')
  expect((await vatom('template', 'validate', 'c/coupon.yaml')).err).toBe('')
})

test('what is sent is checked in the same way before', async () => {
  const { vatom, file } = await publisher()
  file('c/coupon.yaml', template())
  file('c/faces.yaml', `${face()}---\n${face()}`)
  await vatom('template', 'create', 'c')
  const { code, err } = await vatom('face', 'register', 'c')
  expect(code).toBe(3)
  expect(err).toContain('error[face-twice]')
})

test('an action that misspells its template', async () => {
  const { vatom, file } = await publisher()
  file('c/t.yaml', template())
  file('c/a.yaml', 'name: $publisher::Coupno::v1::Action::Drop\nreactor: blockv://v1/Drop\n')
  expect((await vatom('action', 'validate', 'c')).err).toMatch(
    /template-name.*no template in the catalog is named[\s\S]*did you mean local\.vatom::Coupon::v1/,
  )
})

const crooked = `${template().replace('unpublished: true', 'unpublished: yes # kept')}`

test('--fix puts files right, says what, and what is left', async () => {
  const { run, vatom, file, home } = await publisher()
  file('c/t.yaml', `${crooked}nonsense: 1\n`)
  const { code, err, out } = await run(['template', 'validate', 'c', '--fix'])
  expect({ code, out }).toEqual({ code: 3, out: '' })
  expect(err).toMatch(/^fixed\[yaml-boolean\] c\/t\.yaml:2:14: yes -> true\n/)
  expect(err).toContain('error[unknown-field]')
  expect(readFileSync(join(home, 'c/t.yaml'), 'utf8')).toBe(`${crooked.replace('yes', 'true')}nonsense: 1\n`)
  const again = await vatom('template', 'validate', 'c', '--fix', '--json')
  expect(JSON.parse(again.out)).toMatchObject({ fixed: [], error: { code: 'invalid_documents' } })
})

test('--fix under --json tells what was fixed', async () => {
  const { json, file } = await publisher()
  file('t.yaml', crooked)
  expect(await json('template', 'validate', 't.yaml', '--fix')).toMatchObject({
    fixed: [{ file: 't.yaml', line: 2, column: 14, rule: 'yaml-boolean', before: 'yes', after: 'true' }],
    results: [{ status: 'valid', problems: [] }],
  })
  expect(await json('template', 'validate', 't.yaml')).not.toHaveProperty('fixed')
})

test('--fix of standard input prints it, and nothing else on stdout', async () => {
  const { run } = await publisher()
  const text = `${crooked}# a tab:\t.\n`
  const { code, out, err } = await run(['template', 'validate', '-', '--fix'], { stdin: text })
  expect({ code, out }).toEqual({ code: 0, out: text.replace('yes', 'true') })
  expect(err).toContain('fixed[yaml-boolean] <stdin>:2:14')
  const { out: json } = await run(['template', 'validate', '-', '--fix', '--json'], { stdin: text })
  expect(JSON.parse(json).fixed_text).toBe(text.replace('yes', 'true'))
})

test('--fix leaves alone what it must not touch', async () => {
  const { vatom, file, home } = await publisher()
  file('t.yaml', `${template()}---\n${variation()}unpublished: no\n`)
  expect(await vatom('template', 'validate', 't.yaml', '--fix')).toMatchObject({ code: 0 })
  expect(readFileSync(join(home, 't.yaml'), 'utf8')).toContain('unpublished: no')
})
