import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import { template, variation } from '../../fixtures/yaml.ts'
import { gitIn } from '../../support/git.ts'
import { publisher } from '../../support/vatom.ts'

const job = { CI: 'true', VATOM_CONTEXT: 'local' }

/** A repository in which the variation of a draft, of which there is a vAtom, has moved from catalog `a` to catalog `teams/b`. */
async function movedTo(format: 'sha1' | 'sha256' = 'sha1') {
  const desk = await publisher()
  const repo = gitIn(desk, 'repo')
  repo('init', `--object-format=${format}`)
  desk.file('repo/a/vatom.yaml', 'catalog: a\n')
  desk.file('repo/a/coupon.yaml', template())
  desk.file('repo/a/red.yaml', variation())
  desk.file('repo/teams/b/vatom.yaml', 'catalog: b\n')
  // So many that git keeps a folder of one commit as changes of that of another.
  for (let count = 0; count < 60; count++) desk.file(`repo/teams/b/notes/${count}.txt`, `${count}\n`)
  desk.file('repo/new\nline/a.txt', 'a folder whose name has a line break\n')
  repo('add', '.')
  repo('commit', '-m', 'begin')
  await desk.json('apply', 'repo/a', '--yes')
  await desk.json('emit', 'local.vatom::Coupon::v1::Red')
  rmSync(join(desk.home, 'repo/teams/b/notes/7.txt'))
  renameSync(join(desk.home, 'repo/a/red.yaml'), join(desk.home, 'repo/teams/b/red.yaml'))
  repo('add', '.')
  repo('commit', '-m', 'move')
  const vatoms = async () => at(await desk.json('inventory'), 'vatoms')
  /** A checkout of catalog `a` alone, with an index that has nothing else. */
  const partial = (...clone: string[]) => {
    gitIn(desk, '.')('clone', '--no-checkout', ...clone, `file://${join(desk.home, 'repo')}`, 'part')
    gitIn(desk, 'part')('checkout', 'HEAD', '--', 'a')
  }
  return { ...desk, vatoms, partial, repo, part: gitIn(desk, 'part') }
}

type Moved = Awaited<ReturnType<typeof movedTo>>

/** What git prints in a folder. */
const printed = (folder: string, words: readonly string[], input = '') =>
  String(execFileSync('git', words, { cwd: folder, input })).trim()

/** The file of an object that has one of its own. */
const objectFile = (folder: string, name: string) => {
  const id = printed(folder, ['rev-parse', name])
  return join(folder, '.git/objects', id.slice(0, 2), id.slice(2))
}

/** Whether git keeps a folder as changes of another one. */
const isChanges = (folder: string, name: string) =>
  /[1-9a-f]/.test(printed(folder, ['cat-file', '--batch-check=%(deltabase)'], `${name}\n`))

/** Ways to check out a part of a commit, by how git keeps that. */
const ways: readonly (readonly [string, (desk: Moved) => void])[] = [
  [
    'in a pack, as changes of earlier folders',
    ({ partial, home }) => {
      partial()
      expect(isChanges(join(home, 'part'), 'HEAD:teams/b/notes')).toBe(true)
    },
  ],
  [
    'in a file for each object',
    ({ home, part }) => {
      gitIn({ home }, '.')('clone', '--no-checkout', 'repo', 'part')
      part('checkout', 'HEAD', '--', 'a')
    },
  ],
  [
    'in a pack, as changes of earlier folders by their ids',
    ({ repo, partial, part }) => {
      repo('-c', 'repack.useDeltaBaseOffset=false', 'repack', '-a', '-d', '-f')
      partial()
      part('-c', 'repack.useDeltaBaseOffset=false', 'repack', '-a', '-d', '-f')
    },
  ],
  [
    'in the repository that it was cloned from',
    ({ home, part }) => {
      gitIn({ home }, '.')('clone', '--no-checkout', '--shared', 'repo', 'part')
      part('checkout', 'HEAD', '--', 'a')
    },
  ],
  [
    'in that repository, where both name themselves and each other many times',
    ({ home, part }) => {
      gitIn({ home }, '.')('clone', '--no-checkout', '--shared', 'repo', 'part')
      for (const folder of ['repo', 'part']) {
        const others = [...'.'.repeat(20), join(home, 'repo/.git/objects'), '../../../part/.git/objects']
        writeFileSync(join(home, folder, '.git/objects/info/alternates'), `${others.join('\n')}\n`)
      }
      part('checkout', 'HEAD', '--', 'a')
    },
  ],
  [
    'in the repository of which it is a worktree',
    ({ repo, part, home }) => {
      repo('worktree', 'add', '--detach', '--no-checkout', join(home, 'part'))
      part('checkout', 'HEAD', '--', 'a')
    },
  ],
  ['alone, as in a shallow clone', ({ partial }) => partial('--depth=1')],
]

/** Has a folder of objects of git name others that have more of them. */
function named(objects: string, ...others: readonly string[]): void {
  mkdirSync(join(objects, 'info'), { recursive: true })
  writeFileSync(join(objects, 'info/alternates'), `${others.join('\n')}\n`)
}

describe('pruning where only a part of a commit was checked out', () => {
  test.each(ways)('is refused where git keeps it %s', async (_where, checkOut) => {
    const desk = await movedTo()
    checkOut(desk)
    for (const words of [['plan'], ['apply', '--yes']]) {
      const { code, out, err } = await desk.run([...words, 'part/a', '--prune'], { env: job })
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(
        'error: part/teams/b is a catalog that is not in this checkout, although the commit that is checked out has it: --prune may delete what it describes\nhint: put it there: git checkout HEAD -- part/teams/b; if it was removed or moved, commit that first\n',
      )
    }
    expect(await desk.vatoms()).toHaveLength(1)
    expect(await desk.vatom('plan', 'part/a')).toMatchObject({ code: 0 })
    desk.part('checkout', 'HEAD', '--', 'teams')
    expect((await desk.run(['plan', 'part/a', '--prune'], { env: job })).out).toContain(
      'also in part/teams/b, so it stays',
    )
  })

  test('is refused in a repository with names of SHA-256', async () => {
    const { run, partial } = await movedTo('sha256')
    partial()
    expect(await run(['plan', 'part/a', '--prune'], { env: job })).toMatchObject({
      code: 2,
      err: expect.stringContaining('part/teams/b is a catalog that is not in this checkout, although the commit'),
    })
  })

  test('is refused where a part of a catalog elsewhere was checked out', async () => {
    const { run, partial, part } = await movedTo()
    partial()
    part('checkout', 'HEAD', '--', 'teams/b/vatom.yaml')
    expect(await run(['plan', 'part/a', '--prune'], { env: job })).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'part/teams/b/red.yaml is a file of another catalog that is not in this checkout, although',
      ),
    })
  })

  test('is refused where a folder of the commit was not fetched', async () => {
    const { run, home, part } = await movedTo()
    gitIn({ home }, '.')('clone', '--no-checkout', 'repo', 'part')
    part('checkout', 'HEAD', '--', 'a')
    rmSync(objectFile(join(home, 'part'), 'HEAD:teams'))
    expect(await run(['plan', 'part/a', '--prune'], { env: job })).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'error: part/teams is not, or not whole, in this checkout, although the commit that is checked out has it: --prune may delete what it describes\nhint: put it there: git checkout HEAD -- part/teams; if it was',
      ),
    })
  })

  const many = Array.from({ length: 40 }, (_, index) => index)
  test.each<[string, (objects: string, last: string) => void]>([
    [
      'others are named first, in one file',
      (objects, last) => named(objects, ...many.map((index) => `other-${index}`), last),
    ],
    ['one is named over and over', (objects, last) => named(objects, ...many.map(() => '.'), last)],
    [
      'each names the next',
      (objects, last) => {
        const folders = [objects, ...many.map((index) => join(objects, `other-${index}`))]
        for (const [index, folder] of folders.entries()) named(folder, folders[index + 1] ?? last)
      },
    ],
  ])(
    'is refused where a commit is in a folder before which more are named than are looked in: %s',
    async (_how, name) => {
      const { run, home, part } = await movedTo()
      gitIn({ home }, '.')('clone', '--no-checkout', '--shared', 'repo', 'part')
      part('checkout', 'HEAD', '--', 'a')
      name(join(home, 'part/.git/objects'), join(home, 'repo/.git/objects'))
      expect(await run(['plan', 'part/a', '--prune'], { env: job })).toMatchObject({
        code: 2,
        err: expect.stringContaining('part/.git does not tell what else is in the repository'),
      })
    },
  )

  test('is refused where folders of a commit name others so often that nobody could look in all', async () => {
    const { run, home, partial, part } = await movedTo()
    partial()
    const folder = join(home, 'part')
    let tree = printed(folder, ['mktree'])
    for (let level = 0; level < 30; level++)
      tree = printed(folder, ['mktree'], `040000 tree ${tree}\ta\n040000 tree ${tree}\tb\n`)
    const commit = ['-c', 'user.email=a@example.com', '-c', 'user.name=a', 'commit-tree', tree, '-m', 'x']
    part('update-ref', 'HEAD', printed(folder, commit))
    expect(await run(['plan', 'part/a', '--prune'], { env: job })).toMatchObject({
      code: 2,
      err: expect.stringContaining('part/.git does not tell what else is in the repository'),
    })
  })

  test('is refused where a submodule of the commit was left out', async () => {
    const { run, repo, home, file, part, partial } = await movedTo()
    file('other/tea.yaml', template('$publisher::Tea::v1'))
    const other = gitIn({ home }, 'other')
    for (const words of [['init'], ['add', '.'], ['commit', '-m', 'x']]) other(...words)
    repo('submodule', 'add', join(home, 'other'), 'menu')
    repo('commit', '-m', 'submodule')
    partial()
    part('checkout', 'HEAD', '--', 'teams')
    const plan = () => run(['plan', 'part/a', '--prune'], { env: job })
    expect(await plan()).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'part/menu is not, or not whole, in this checkout, although the commit that is checked out',
      ),
    })
    part('checkout', 'HEAD', '--', '.')
    expect((await plan()).err).toContain('part/menu is a submodule of git that is not checked out')
    part('submodule', 'update', '--init')
    expect((await plan()).out).toContain('also in part/teams/b, so it stays')
  })

  test.each([
    ['is not there', (path: string) => rmSync(path)],
    ['is damaged', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 40), { flush: true })],
  ])('is refused where the commit %s, and not on a branch without commits', async (_how, damage) => {
    const { run, repo, home } = await movedTo()
    const plan = () => run(['plan', 'repo/a', '--prune'], { env: job })
    expect((await plan()).out).toContain('also in repo/teams/b, so it stays')
    const file = objectFile(join(home, 'repo'), 'HEAD')
    execFileSync('chmod', ['u+w', file])
    damage(file)
    expect(await plan()).toMatchObject({
      code: 2,
      err: expect.stringContaining('repo/.git does not tell what else is in the repository'),
    })
    repo('symbolic-ref', 'HEAD', 'refs/heads/none')
    rmSync(join(home, 'repo/.git/logs'), { recursive: true })
    expect((await plan()).out).toContain('also in repo/teams/b, so it stays')
  })

  const zeros = '\0'.repeat(41)
  const [head, branch, packed] = ['HEAD', 'refs/heads/main', 'packed-refs'] as const
  /** Files of a `.git` as a power cut, or another user, can leave them; null for one that is not there. */
  const damages: readonly Readonly<Record<string, string | null>>[] = [
    ...['', zeros, null, 'ref: HEAD\n', 'ref: ../HEAD\n', 'ref: refs/heads/.invalid\n'].map((text) => ({
      [head]: text,
    })),
    ...['', zeros, 'zzzz\n', 'ref: refs/heads/main\n'].map((text) => ({ [branch]: text })),
    ...['', '# pack-refs with: peeled'].map((text) => ({ [branch]: null, [packed]: text })),
    { [`${packed}/folder`]: '', [branch]: null },
    { [branch]: null, 'logs/HEAD': '' },
  ]
  /** Puts files into a folder; gives what puts them back. */
  function replaced(folder: string, files: Readonly<Record<string, string | null>>): () => void {
    cpSync(folder, `${folder}.kept`, { recursive: true })
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name)
      rmSync(path, { force: true })
      mkdirSync(dirname(path), { recursive: true })
      if (text !== null) writeFileSync(path, text)
    }
    return () => {
      rmSync(folder, { recursive: true })
      renameSync(`${folder}.kept`, folder)
    }
  }

  test('is refused where the name of the commit is damaged, or cannot be read', async () => {
    const { run, home, partial } = await movedTo()
    partial()
    const git = join(home, 'part/.git')
    rmSync(join(git, 'logs'), { recursive: true })
    rmSync(join(git, packed), { force: true })
    const plan = () => run(['plan', 'part/a', '--prune'], { env: job })
    for (const damage of damages) {
      const repair = replaced(git, damage)
      const { code, out, err } = await plan()
      expect({ damage, code, out, err }).toEqual({
        ...{ damage, code: 2, out: '' },
        err: expect.stringContaining('error: part/.git does not tell what else is in the repository: --prune may'),
      })
      repair()
    }
    replaced(git, { [branch]: null })
    expect((await plan()).out).toContain('1 to delete')
  })

  test.each<Readonly<Record<string, string | null>>>([{ HEAD: null }, { commondir: '' }, { commondir: zeros }])(
    'is refused where that of a worktree is: %j',
    async (damage) => {
      const { run, repo, part, home } = await movedTo()
      repo('worktree', 'add', '-b', 'side', '--no-checkout', join(home, 'part'))
      part('checkout', 'HEAD', '--', 'a')
      const git = join(home, 'repo/.git/worktrees/part')
      rmSync(join(git, 'logs'), { recursive: true })
      replaced(git, damage)
      expect(await run(['plan', 'part/a', '--prune'], { env: job })).toMatchObject({
        ...{ code: 2, out: '' },
        err: expect.stringContaining('error: part/.git does not tell what else is in the repository'),
      })
    },
  )

  test('is refused for a catalog that was removed until that is committed', async () => {
    const { run, repo, vatoms } = await movedTo()
    repo('rm', '-r', 'teams/b')
    const apply = () => run(['apply', 'repo/a', '--prune', '--yes'], { env: job })
    expect(await apply()).toMatchObject({ code: 2, err: expect.stringContaining('commit that first') })
    repo('commit', '-m', 'remove')
    expect(await apply()).toMatchObject({ code: 0 })
    expect(await vatoms()).toEqual([])
  })
})

describe('pruning where a file of the catalog itself is not there', () => {
  /** A catalog with a variation that was applied, in a repository. */
  async function applied() {
    const desk = await publisher()
    const repo = gitIn(desk, 'repo')
    desk.file('repo/a/vatom.yaml', 'catalog: a\n')
    desk.file('repo/a/coupon.yaml', template())
    desk.file('repo/a/more/red.yaml', variation())
    repo('init')
    repo('add', '.')
    repo('commit', '-m', 'begin')
    await desk.json('apply', 'repo/a', '--yes')
    return { ...desk, repo, remove: () => rmSync(join(desk.home, 'repo/a/more'), { recursive: true }) }
  }
  const absent = 'error: repo/a/more/red.yaml is a file of this catalog that is not in this checkout, although'

  test('is refused in a pipeline, where the index or the commit has it', async () => {
    const { run, repo, remove } = await applied()
    const plan = () => run(['plan', 'repo/a', '--prune'], { env: job })
    remove()
    expect(await plan()).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(
        `${absent} it is in the index of git: --prune may delete what it describes\nhint: put it there: git restore repo/a/more/red.yaml; if it was removed or moved: git rm -r --cached repo/a/more/red.yaml, and commit that; only if the catalog never owned what it describes: list it under ignore in vatom.yaml\n`,
      ),
    })
    repo('rm', '-r', '--cached', 'a/more')
    expect((await plan()).err).toContain(`${absent} the commit that is checked out has it: --prune may delete`)
    repo('commit', '-m', 'remove')
    expect((await plan()).out).toContain('1 to delete')
  })

  test('is refused in a pipeline where only a part of the catalog was checked out', async () => {
    const { run, home } = await applied()
    gitIn({ home }, '.')('clone', '--no-checkout', 'repo', 'part')
    const part = gitIn({ home }, 'part')
    part('checkout', 'HEAD', '--', 'a/vatom.yaml', 'a/coupon.yaml')
    const plan = () => run(['plan', 'part/a', '--prune'], { env: job })
    expect((await plan()).err).toContain('part/a/more/red.yaml is a file of this catalog that is not in this checkout')
    const folder = objectFile(join(home, 'part'), 'HEAD:a/more')
    rmSync(folder)
    expect((await plan()).err).toContain('part/a/more is not, or not whole, in this checkout, although the commit')
    expect(readdirSync(join(home, 'part/a'))).not.toContain('more')
  })

  test('deletes on a machine of a person, and in a pipeline what nothing is to be deleted for or ignore lists goes on', async () => {
    const { run, vatom, file, repo, remove, home } = await applied()
    file('repo/a/.drafts/blue.yaml', variation('$publisher::Coupon::v1::Blue'))
    file('repo/a/readme.md', 'A')
    file('repo/a/old/green.yaml', variation('$publisher::Coupon::v1::Green'))
    repo('add', '.')
    repo('commit', '-m', 'more')
    const plan = () => run(['plan', 'repo/a', '--prune'], { env: job })
    for (const gone of ['.drafts', 'readme.md', 'old']) rmSync(join(home, 'repo/a', gone), { recursive: true })
    expect(await plan()).toMatchObject({ code: 0, out: expect.stringContaining('2 unchanged') })
    remove()
    expect((await vatom('plan', 'repo/a', '--prune')).out).toContain('1 to delete')
    repo('add', 'a/more')
    repo('commit', '-m', 'remove')
    expect((await plan()).err).toContain('repo/a/old/green.yaml is a file of this catalog')
    file('repo/a/vatom.yaml', 'catalog: a\nignore: [old/]\n')
    expect((await plan()).out).toContain('1 to delete')
  })
})
