import { execFileSync } from 'node:child_process'
import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import { coupon, template, variation } from '../../fixtures/yaml.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

const red = 'local.vatom::Coupon::v1::Red'
const job = { CI: 'true', VATOM_CONTEXT: 'local' }
const tea = () => template('$publisher::Tea::v1')

/** What is done where red.yaml was removed from the catalog in the folder `a`, of which a vAtom of its variation is left. */
type Arrange = (desk: Desk) => unknown

/** Writes files; the text of the removed document where none is given. */
const files =
  (...names: (string | readonly [name: string, text: string])[]): Arrange =>
  ({ file }) => {
    for (const one of names) file(...(typeof one === 'string' ? ([one, variation()] as const) : one))
  }
const ignore = (...patterns: string[]) => ['a/vatom.yaml', `catalog: a\nignore: ${JSON.stringify(patterns)}\n`] as const
const link =
  (target: string, path: string): Arrange =>
  ({ home }) =>
    symlinkSync(target, join(home, path))
const git =
  (folder: string, ...commands: string[][]): Arrange =>
  ({ home }) => {
    const asked = ['-c', 'user.email=a@example.com', '-c', 'user.name=a', '-c', 'protocol.file.allow=always']
    for (const words of commands)
      execFileSync('git', [...asked, ...words], { cwd: join(home, folder), stdio: 'ignore' })
  }
const committed = (folder: string) => git(folder, ['init'], ['add', '.'], ['commit', '-m', 'x'])
const submodule = [
  files('origin/red.yaml', ['origin/vatom.yaml', 'catalog: t\n'], ignore('t/')),
  committed('origin'),
  git('.', ['init'], ['submodule', 'add', './origin', 'a/t'], ['add', 'a']),
  ({ home }: Desk) => rmSync(join(home, 'origin'), { recursive: true }),
]

async function arranged(steps: readonly Arrange[]) {
  const desk = await publisher()
  files(['a/vatom.yaml', 'catalog: a\n'], ['a/coupon.yaml', template()], 'a/red.yaml')(desk)
  await desk.json('apply', 'a', '--yes')
  await desk.json('emit', red)
  rmSync(join(desk.home, 'a/red.yaml'))
  for (const step of steps) await step(desk)
  const prune = async (env: Readonly<Record<string, string>>) => {
    const { code, out, err } = await desk.run(['apply', 'a', '--prune', '--yes'], { env })
    return { code, out: out + err, vatoms: at(await desk.json('inventory'), 'vatoms') }
  }
  return { ...desk, prune }
}

describe('--prune, where a document was moved to a file in the folder of its catalog that is not in the catalog', () => {
  const inFile = (file: string) => `${red}: in ${file}, which its catalog ignores, so it stays; vatom variation delete `
  const inCatalog = (folder: string) =>
    `${red}: also in ${folder}, so it stays; vatom apply ${folder} --take-over makes it of that catalog, `

  test.each<[string, readonly Arrange[], string]>([
    ['an ignored file', [files('a/x.yaml', ignore('x.yaml'))], inFile('a/x.yaml')],
    ['a file in an ignored folder', [files('a/t/red.yaml', ignore('t/'))], inFile('a/t/red.yaml')],
    [
      'an ignored file, with a pattern that is no negation',
      [files('a/t/red.yaml', ignore('t/', '!red.yaml'))],
      inFile('a/t/red.yaml'),
    ],
    ['an ignored catalog', [files('a/t/red.yaml', ['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/'))], inCatalog('a/t')],
    [
      'an ignored catalog of the same name',
      [files('a/t/red.yaml', ['a/t/vatom.yaml', 'catalog: a\n'], ignore('t'))],
      `${red}: in a/t, a catalog of the same name, so it stays\n  hint: a/t is a catalog of the same name: write another name`,
    ],
    [
      'an ignored catalog without a name',
      [files('a/t/red.yaml', ['a/t/vatom.yaml', '# by itself\n'], ignore('t'))],
      inCatalog('a/t'),
    ],
    [
      'a folder of an ignored catalog',
      [files('a/x/t/m/red.yaml', ['a/x/t/vatom.yaml', 'catalog: t\n'], ignore('x'))],
      inCatalog('a/x/t'),
    ],
    [
      'an ignored catalog of a committed repository',
      [files('a/t/red.yaml', ['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/')), committed('.')],
      inCatalog('a/t'),
    ],
    [
      'an ignored catalog that git ignores, too',
      [files('a/t/red.yaml', ['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/'), ['.gitignore', 't/\n']), committed('.')],
      inCatalog('a/t'),
    ],
    ['an ignored submodule', submodule, inCatalog('a/t')],
    [
      'an ignored repository that is no submodule',
      [files('a/t/red.yaml', ['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/')), committed('a/t')],
      inCatalog('a/t'),
    ],
    [
      'a file that a catalog in the folder ignores',
      [files('a/b/red.yaml', ['a/b/tea.yaml', tea()], ['a/b/vatom.yaml', 'catalog: b\nignore: [red.yaml]\n'])],
      inFile('a/b/red.yaml'),
    ],
    [
      'a catalog that one in the folder ignores',
      [
        files('a/b/c/red.yaml', ['a/b/c/vatom.yaml', 'catalog: c\n']),
        files(['a/b/tea.yaml', tea()], ['a/b/vatom.yaml', 'catalog: b\nignore: [c]\n']),
      ],
      inCatalog('a/b/c'),
    ],
    [
      'a file that an ignored catalog ignores',
      [files('a/b/c/red.yaml', ['a/b/vatom.yaml', 'catalog: b\nignore: [c]\n'], ignore('b'))],
      inFile('a/b/c/red.yaml'),
    ],
    [
      'a catalog that an ignored one ignores',
      [
        files('a/b/c/red.yaml', ['a/b/c/vatom.yaml', 'catalog: c\n']),
        files(['a/b/vatom.yaml', 'catalog: b\nignore: [c]\n'], ignore('b')),
      ],
      inCatalog('a/b/c'),
    ],
    [
      'a file that an ignored link leads to',
      [files('far/red.yaml', ignore('x.yaml')), link('../far/red.yaml', 'a/x.yaml')],
      inFile('a/x.yaml'),
    ],
    [
      'a folder that an ignored link leads to',
      [files('far/b/red.yaml', ignore('link')), link('../far/b', 'a/link')],
      inCatalog('far/b'),
    ],
    [
      'a catalog that a link in an ignored catalog leads to',
      [
        files('far/b/red.yaml', ['far/b/vatom.yaml', 'catalog: b\n']),
        files(['a/t/tea.yaml', tea()], ['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/')),
        link('../../far/b', 'a/t/link'),
      ],
      inCatalog('far/b'),
    ],
    [
      'a folder with a dot that an ignored link leads to',
      [files('a/.t/red.yaml', ignore('link')), link('.t', 'a/link')],
      inFile('a/link/red.yaml'),
    ],
    ['a catalog with a dot', [files('a/.t/red.yaml', ['a/.t/vatom.yaml', 'catalog: t\n'])], inCatalog('a/.t')],
    [
      'a catalog with a dot far below, of a repository',
      [files('a/x/.t/red.yaml', ['a/x/.t/vatom.yaml', 'catalog: t\n']), committed('.')],
      inCatalog('a/x/.t'),
    ],
    [
      'a catalog in node_modules, of a repository',
      [files('a/node_modules/t/red.yaml', ['a/node_modules/t/vatom.yaml', 'catalog: t\n']), committed('.')],
      inCatalog('a/node_modules/t'),
    ],
  ])('leaves what it describes, and says where: %s', async (_, steps, kept) => {
    const { vatom, prune } = await arranged(steps)
    for (const words of [['--prune'], []]) expect((await vatom('plan', 'a', ...words)).out).toContain(kept)
    for (const env of [job, {}])
      expect(await prune(env)).toMatchObject({ code: 0, out: expect.stringContaining(kept), vatoms: [{}] })
  })

  test.each<[string, readonly Arrange[], string]>([
    [
      'an ignored submodule that is not checked out',
      [...submodule, git('.', ['commit', '-m', 'x'], ['submodule', 'deinit', '--all', '--force'])],
      'a/t is a submodule of git that is not checked out',
    ],
    [
      'a submodule that is not checked out in a catalog in the folder, which alone could ignore it',
      [
        files('origin/red.yaml', ['a/b/tea.yaml', tea()], ['a/b/vatom.yaml', 'catalog: b\n'], ignore('b/t')),
        committed('origin'),
        git('.', ['init'], ['submodule', 'add', './origin', 'a/b/t'], ['add', 'a'], ['commit', '-m', 'x']),
        git('.', ['submodule', 'deinit', '--all', '--force']),
        ({ home }) => rmSync(join(home, 'origin'), { recursive: true }),
      ],
      'a/b/t is a submodule of git that is not checked out',
    ],
    [
      'an ignored catalog that is not in a sparse checkout',
      [
        files('a/t/red.yaml', ['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/')),
        committed('.'),
        git('.', ['sparse-checkout', 'set', '--no-cone', '/*', '!/a/t/']),
      ],
      'a/t is a catalog that is not in this checkout, which is a sparse one',
    ],
    [
      'an ignored file with the marks of a conflict',
      [
        files(
          ['a/red.yaml', variation().replace(/^(template_variation.*)$/m, '<<<<<<< HEAD\n$1\n=======\n$1x\n>>>>>>> x')],
          ignore('red.yaml'),
        ),
      ],
      'a/red.yaml, which the catalog ignores, cannot be read',
    ],
    [
      'a file that cannot be read, of an ignored catalog',
      [
        files(['a/t/red.yaml', `<<<<<<< HEAD\n${variation()}`]),
        files(['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/')),
      ],
      'a/t/red.yaml, of another catalog, cannot be read',
    ],
    [
      'what may have come in the place of a file of an ignored catalog',
      [
        files(['a/t/red.json', '{"message": "Bad credentials", "status": "401"}']),
        files(['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/')),
      ],
      'a/t/red.json, of another catalog, is ignored: it holds no document, and may be what came in the place of one, as the answer of a failed download',
    ],
    [
      'a dead link of an ignored catalog',
      [
        files(['a/t/tea.yaml', tea()], ['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/')),
        link('gone.yaml', 'a/t/red.yaml'),
      ],
      'a/t/red.yaml, of another catalog, links to a file that does not exist',
    ],
    [
      'a folder that a link leads to, in one that an ignored link leads to',
      [
        files('away/red.yaml', ['far/tea.yaml', tea()], ignore('link')),
        link('../far', 'a/link'),
        link('../away', 'far/link'),
      ],
      'a/link/link, which the catalog ignores, is a link to a folder, which is not followed',
    ],
  ])('is refused where nobody can tell what that describes: %s', async (_, steps, why) => {
    const { vatom, prune } = await arranged(steps)
    expect(await vatom('plan', 'a')).toMatchObject({ code: 0 })
    for (const env of [job, {}])
      expect(await prune(env)).toMatchObject({
        ...{ code: 2, vatoms: [{}] },
        out: expect.stringMatching(new RegExp(`error: ${why}: --prune (?:may|would) delete what it describes\nhint: `)),
      })
  })

  test.each<[string, readonly Arrange[]]>([
    ['a folder with a dot', [files('a/.old/red.yaml')]],
    ['a folder with a dot, of a repository', [files('a/.old/red.yaml'), committed('.')]],
    ['node_modules', [files('a/node_modules/t/red.yaml')]],
    ['a file with another ending', [files('a/red.yaml.old')]],
    ['a file with the name of a copy', [files('a/.#red.yaml', 'a/red.yaml~')]],
  ])('deletes what it describes where that is in no catalog anywhere: %s', async (_, steps) => {
    const { prune } = await arranged(steps)
    expect(await prune(job)).toMatchObject({ code: 0, vatoms: [] })
  })

  test('names the folder of what is published, until the catalog there has taken it over', async () => {
    const { vatom, json, home } = await arranged([
      files(['a/t/vatom.yaml', 'catalog: t\n'], ['a/tea.yaml', tea()], ignore('t'), 'a/t/red.yaml'),
    ])
    renameSync(join(home, 'a/coupon.yaml'), join(home, 'a/t/coupon.yaml'))
    await json('template', 'publish', coupon, '--confirm', coupon)
    await json('variation', 'publish', red, '--confirm', red)
    const line = `? variation ${red}: published, which is final, and also in a/t; vatom apply a/t --take-over makes it of that catalog\n`
    expect((await vatom('plan', 'a')).out).toContain(line)
    const pruned = await vatom('apply', 'a', '--prune', '--yes')
    expect({ code: pruned.code, text: pruned.out + pruned.err }).toEqual({
      code: 0,
      text: expect.not.stringContaining(red),
    })
    expect(await vatom('apply', 'a/t', '--take-over', '--yes')).toMatchObject({ code: 0 })
    expect((await vatom('plan', 'a')).out).not.toContain(red)
  })

  test('is of no concern, also where it cannot be read, to --prune that would delete nothing', async () => {
    const { vatom, json, file, home } = await arranged([files(ignore('old'), ['a/tea.yaml', tea()])])
    await json('variation', 'delete', red, '--yes')
    rmSync(join(home, 'a/coupon.yaml'))
    file('a/old/x.yaml', `<<<<<<< HEAD\n${variation()}`)
    expect((await vatom('plan', 'a', '--prune')).out).toContain(`? template ${coupon}`)
    expect(await vatom('apply', 'a', '--prune', '--yes')).toMatchObject({ code: 0 })
  })

  test('says of it in a plan of a part of the catalog that it stays', async () => {
    const { vatom } = await arranged([files('a/t/red.yaml', ['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/'))])
    expect((await vatom('plan', 'a/coupon.yaml')).out).toContain(inCatalog('a/t'))
  })

  test('deletes it once the ignored catalog has taken it over and no longer describes it', async () => {
    const { vatom, json, prune, home } = await arranged([
      files('a/t/red.yaml', ['a/t/tea.yaml', tea()], ['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/')),
    ])
    expect(await vatom('apply', 'a/t', '--take-over', '--yes')).toMatchObject({ code: 0 })
    expect((await vatom('plan', 'a')).out).not.toContain(red)
    renameSync(join(home, 'a/t/red.yaml'), join(home, 'red.txt'))
    expect(await prune(job)).toMatchObject({ code: 0, vatoms: [{}] })
    expect(await vatom('apply', 'a/t', '--prune', '--yes')).toMatchObject({ code: 0 })
    expect(await json('inventory')).toMatchObject({ vatoms: [] })
  })

  test('names the folder of a template that was moved with all that belongs to it', async () => {
    const { vatom, file, home } = await arranged([
      files('a/t/red.yaml', ['a/tea.yaml', tea()], ['a/t/vatom.yaml', 'catalog: t\n'], ignore('t/')),
    ])
    renameSync(join(home, 'a/coupon.yaml'), join(home, 'a/t/coupon.yaml'))
    const { out } = await vatom('plan', 'a', '--prune')
    expect(out).toContain(inCatalog('a/t'))
    expect(out).toContain(`? template ${coupon} with 1 variation and 1 vAtom: also in a/t; vatom apply a/t --take-over`)
    file('a/t/red.yaml', '# nothing\n')
    expect((await vatom('plan', 'a', '--prune')).out).toContain(`- variation ${red}`)
  })
})
