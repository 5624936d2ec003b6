import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { action, face, template, variation } from '../../../fixtures/yaml.ts'
import { publisher } from '../../../support/vatom.ts'

const card = face(undefined, 'card')

/** A service with a catalog, and a pull into `shop` while which another run, or a person, does something. */
async function deskWith(files: Readonly<Record<string, string>>) {
  let happens = () => {}
  const log = (line: string) => /face/.test(line) && happens()
  const { file, json, vatom, home } = await publisher({ service: { log } })
  file('all.yaml', [template(), variation(), face(), card, action()].join('---\n'))
  await json('apply', 'all.yaml', '--yes')
  for (const [name, text] of Object.entries(files)) file(`shop/${name}`, text)
  const pullWhile = (work: () => void, ...flags: readonly string[]) => {
    happens = () => {
      happens = () => {}
      work()
    }
    return vatom('pull', 'shop', '--yes', ...flags)
  }
  return { file, json, vatom, home, pullWhile }
}

/** The text of each file in a folder. */
const textsIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
  )

test.each([
  ['a new folder', {}],
  ['a folder that lacks files', { 'coupon.yaml': template() }],
  ['a file that lacks a document', { 'coupon.yaml': template(), 'coupon.faces.yaml': face() }],
])('what another pull writes meanwhile into %s is not written a second time', async (_, files) => {
  const { file, json, vatom, home, pullWhile } = await deskWith(files)
  for (const [name, text] of Object.entries(files)) file(`other/${name}`, text)
  await json('pull', 'other', '--yes')
  const { code, out, err } = await pullWhile(() => cpSync(join(home, 'other'), join(home, 'shop'), { recursive: true }))
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /^error: shop\/\S+ has \w+ local\.vatom::Coupon::v1\S* .*meanwhile\nhint: no file of this step was changed; pull again/m,
    ),
  })
  const written = Object.entries(textsIn(join(home, 'other'))).map(([path, text]) => [
    path.replace(join(home, 'other'), join(home, 'shop')),
    text,
  ])
  expect(textsIn(join(home, 'shop'))).toEqual(Object.fromEntries(written))
  expect(await vatom('pull', 'shop')).toMatchObject({ code: 0, err: expect.stringContaining('documents: 5 unchanged') })
})

test('what another pull puts in place at the last moment is named, as is what to do', async () => {
  const { json, home, pullWhile } = await deskWith({})
  await json('pull', 'other', '--yes')
  const print = JSON.stringify
  // Schemas for editors are printed after the last look at the folder, and before its files are written.
  const printed = vi.spyOn(JSON, 'stringify').mockImplementation((...given: Parameters<typeof print>) => {
    if (given[2] === 2) cpSync(join(home, 'other'), join(home, 'shop'), { recursive: true })
    return print(...given)
  })
  onTestFinished(() => printed.mockRestore())
  const { code, out, err } = await pullWhile(() => {})
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^error: shop\/\S+ has \w+ local\.vatom::\S+ .*meanwhile\nhint: no file .* changed; pull again/m)
  expect(err).not.toContain('already exists')
})

test('what a person writes meanwhile into a file of another name is not written a second time', async () => {
  const { file, home, pullWhile } = await deskWith({ 'coupon.yaml': template() })
  const { code, err } = await pullWhile(() => file('shop/mine/card.yaml', card), '--dry-run')
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('shop/mine/card.yaml has face') })
  expect(readdirSync(join(home, 'shop')).sort()).toEqual(['coupon.yaml', 'mine'])
})

test('files that come meanwhile and have none of the new documents stay as they are, beside these', async () => {
  const others = '$publisher::Other::v1'
  const { file, home, pullWhile } = await deskWith({ 'coupon.yaml': template() })
  const texts = { 'shop/coupon.faces.yaml': face(others), 'shop/notes.json': '{"mine": true}' }
  const { code } = await pullWhile(() => Object.entries(texts).map(([name, text]) => file(name, text)))
  expect(code).toBe(0)
  for (const [name, text] of Object.entries(texts)) expect(readFileSync(join(home, name), 'utf8')).toBe(text)
  expect(readFileSync(join(home, 'shop/coupon.faces.2.yaml'), 'utf8')).not.toContain(others)
})
