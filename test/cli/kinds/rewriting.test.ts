import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { template, variation } from '../../fixtures/yaml.ts'
import { failReplacing } from '../../support/file-calls.ts'
import { makeReadOnly, writeFiles } from '../../support/folders.ts'
import { mount } from '../../support/mounting.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

const texts = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name !== '.vatom')
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

/** A catalog whose a.yaml is put in place last, after other files. */
const catalog = {
  'a.yaml': template('local.vatom::Tea::v1'),
  'b.yaml': variation('local.vatom::Tea::v1::Red', 'local.vatom::Tea::v1'),
  'c.yaml': variation('local.vatom::Tea::v1::Blue', 'local.vatom::Tea::v1'),
}
type Catalog = Readonly<Record<keyof typeof catalog, string>>

async function desk(files: Catalog = catalog): Promise<Desk> {
  const made = await publisher()
  writeFiles(join(made.home, 'c'), files)
  return made
}

/** Files whose records differ from those of the service in each of the three. */
async function changedDesk(): Promise<Desk> {
  const made = await desk()
  await made.vatom('apply', 'c', '--yes')
  for (const name of Object.keys(catalog))
    made.file(
      `c/${name}`,
      readFileSync(join(made.home, 'c', name), 'utf8').replace(
        'unpublished: true',
        'unpublished: true\ncloneable: true',
      ),
    )
  return made
}

const uncorrected = Object.fromEntries(
  Object.entries(catalog).map(([name, text]) => [name, text.replace('unpublished: true', 'unpublished: yes')]),
) as Catalog

describe.each<[string, () => Promise<Desk>, string[]]>([
  ['pull', changedDesk, ['pull', 'c', '--yes']],
  ['validate --fix', () => desk(uncorrected), ['validate', 'c', '--fix']],
  ['template bump', desk, ['template', 'bump', 'c/a.yaml', 'c', '--yes']],
])('%s changes no file where the last of several', (_, made, command) => {
  const refusedWith = (hint: string) => ({
    ...{ code: 1, out: '' },
    err: expect.stringMatching(
      new RegExp(`error: c/a\\.yaml cannot be written: .*\nhint: no file of this step was changed; ${hint}\n$`),
    ),
  })

  test.each([
    ['is in use', 'EBUSY', 'where it is mounted by itself, mount the folder that it is in; else close what uses it'],
    ['may not be replaced', 'EPERM', 'see whether it may be replaced \\(lsattr\\), or another program has it open'],
    ['is open on Windows', 'EACCES', 'correct the permissions of its folder, or choose another one'],
  ])('%s (%s)', async (_what, code, hint) => {
    const { vatom, home } = await made()
    const before = texts(join(home, 'c'))
    failReplacing(join(home, 'c/a.yaml'), code)
    expect(await vatom(...command)).toEqual(refusedWith(hint))
    expect(texts(join(home, 'c'))).toEqual(before)
  })

  test('is mounted by itself', async ({ skip }) => {
    const { vatom, home, file } = await made()
    const before = texts(join(home, 'c'))
    file('elsewhere', before['a.yaml'] ?? '')
    if (!mount(join(home, 'elsewhere'), join(home, 'c/a.yaml'))) skip('only root can mount, on Linux')
    expect(await vatom(...command)).toEqual(refusedWith('where it is mounted by itself, .*'))
    expect(texts(join(home, 'c'))).toEqual(before)
  })

  test('is immutable', async ({ skip }) => {
    const { vatom, home } = await made()
    const before = texts(join(home, 'c'))
    if (process.getuid?.() !== 0 || !makeReadOnly(join(home, 'c/a.yaml')))
      skip('only root can make a file immutable, on Linux')
    expect(await vatom(...command)).toEqual(refusedWith('see whether it may be replaced .*'))
    expect(texts(join(home, 'c'))).toEqual(before)
  })
})

test('a file that cannot be put back is named, with what to do', async () => {
  const { vatom, home } = await desk()
  failReplacing(join(home, 'c/a.yaml'), 'EBUSY')
  failReplacing(join(home, 'c/b.yaml'), 'EIO', 1)
  const { code, err } = await vatom('template', 'bump', 'c/a.yaml', 'c', '--yes')
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(
      'hint: written before it, and not put back as that failed, too: c/b.yaml; run this again once it can be written; ',
    ),
  })
  const { 'a.yaml': first, 'b.yaml': second, 'c.yaml': third } = texts(join(home, 'c'))
  expect([first, third]).toEqual([catalog['a.yaml'], catalog['c.yaml']])
  expect(second).toContain('local.vatom::Tea::v2::Red')
})
