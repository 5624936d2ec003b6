import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { face, template, variation } from '../../fixtures/yaml.ts'
import { gitIn } from '../../support/git.ts'
import { gitIndex } from '../../support/git-index.ts'
import { publisher } from '../../support/vatom.ts'

/** A repository with a catalog that was applied, one variation of which is in `shop/more`. */
async function repository(how: 'submodule' | 'folder', format: 'sha1' | 'sha256' = 'sha1') {
  const desk = await publisher()
  const repo = gitIn(desk, 'repo')
  const init = ['init', `--object-format=${format}`]
  repo(...init)
  desk.file('repo/shop/vatom.yaml', 'catalog: shop\n')
  desk.file('repo/shop/coupon.yaml', template())
  const more = how === 'submodule' ? 'more' : 'repo/shop/more'
  desk.file(`${more}/green.yaml`, variation())
  if (how === 'submodule') {
    const other = gitIn(desk, 'more')
    other(...init)
    other('add', '.')
    other('commit', '-m', 'begin')
    repo('submodule', 'add', join(desk.home, 'more'), 'shop/more')
  }
  repo('add', '.')
  repo('commit', '-m', 'begin')
  await desk.json('apply', 'repo/shop', '--yes')
  return { ...desk, git: (folder: string) => gitIn(desk, folder) }
}

/** A repository whose index names a second commit of its submodule, which has one more variation; that was applied. */
async function twoCommits(format?: 'sha1' | 'sha256') {
  const desk = await repository('submodule', format)
  const more = desk.git('repo/shop/more')
  desk.file('repo/shop/more/blue.yaml', variation('$publisher::Coupon::v1::Blue'))
  more('add', '.')
  more('commit', '-m', 'more')
  desk.git('repo')('add', '.')
  await desk.json('apply', 'repo/shop', '--yes')
  return { ...desk, more, repo: desk.git('repo') }
}

type TwoCommits = Awaited<ReturnType<typeof twoCommits>>

/** Ways in which a submodule is at its first commit. */
const firstCommits: readonly (readonly [string, (desk: TwoCommits) => void])[] = [
  ['detached', ({ more }) => more('checkout', 'HEAD~1')],
  ['on a branch', ({ more }) => more('reset', '--hard', 'HEAD~1')],
  [
    'on a branch with a packed ref',
    ({ more }) => {
      more('branch', 'aaa/main')
      more('reset', '--hard', 'HEAD~1')
      more('pack-refs', '--all')
    },
  ],
  [
    'on a branch that stands for another one',
    ({ more }) => {
      more('checkout', '-b', 'first', 'HEAD~1')
      more('symbolic-ref', 'refs/heads/alias', 'refs/heads/first')
      more('symbolic-ref', 'HEAD', 'refs/heads/alias')
    },
  ],
  [
    'in a worktree of another repository',
    ({ git, home }) => {
      rmSync(join(home, 'repo/shop/more'), { recursive: true })
      git('more')('worktree', 'add', '-b', 'first', join(home, 'repo/shop/more'))
    },
  ],
  [
    'in a repository of its own',
    ({ git, home }) => {
      rmSync(join(home, 'repo/shop/more'), { recursive: true })
      git('.')('clone', 'more', 'repo/shop/more')
    },
  ],
]

const isOutdated = 'is a submodule that is not at the commit in the index of git'

const pruning = (what: string, flag = '--prune') =>
  expect.stringContaining(`error: ${what}: ${flag} would delete what it describes\n`)

/** Indexes with names that are no paths, or too long together: they take much more memory than the index does. */
const withLongNames: [string, Buffer][] = [
  ['with a long name', gitIndex(2, ['a'.repeat(4097)])],
  ['with names that get longer', gitIndex(4, ['a'.repeat(2049), 'a'.repeat(2048)])],
  ['with many long names', gitIndex(4, ['a'.repeat(4000), ...Array.from({ length: 35_000 }, () => '')])],
]

describe('pruning', () => {
  test.each(['2', '4'])(
    'is refused where a submodule is not checked out, with an index of version %s',
    async (version) => {
      const { vatom, git, file } = await repository('submodule')
      git('.')('clone', 'repo', 'checkout')
      git('checkout')('update-index', '--index-version', version)
      const is = 'checkout/shop/more is a submodule of git that is not checked out'
      for (const flag of ['--prune', '--prune-unowned'])
        for (const words of [['plan'], ['apply', '--yes']]) {
          const { code, out, err } = await vatom(...words, 'checkout/shop', flag)
          expect({ code, out, err }).toEqual({ code: 2, out: '', err: pruning(is, flag) })
          expect(err).toContain(
            'hint: check it out: git submodule update --init --recursive; in a pipeline: submodules: recursive',
          )
        }
      expect(await vatom('plan', 'checkout/shop')).toMatchObject({ code: 0 })
      git('checkout')('submodule', 'update', '--init')
      expect(await vatom('plan', 'checkout/shop', '--prune')).toMatchObject({
        code: 0,
        out: expect.stringContaining('2 unchanged'),
      })
      git('checkout')('submodule', 'deinit', '--all')
      file('checkout/shop/vatom.yaml', 'catalog: shop\nignore: [more/]\n')
      expect(await vatom('plan', 'checkout/shop', '--prune')).toMatchObject({
        out: expect.stringContaining('cannot be deleted: repo/shop has it'),
      })
    },
  )

  test('is refused where a submodule has nothing but its repository, as a checkout leaves it that was interrupted', async () => {
    const { vatom, git, home } = await repository('submodule')
    rmSync(join(home, 'repo/shop/more/green.yaml'))
    git('repo/shop/more')('read-tree', '--empty')
    expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject({
      code: 2,
      err: pruning('repo/shop/more is a submodule of git that is not checked out'),
    })
  })

  test.each(firstCommits)('is refused where a submodule is at another commit, %s', async (_how, leave) => {
    const desk = await twoCommits()
    leave(desk)
    for (const words of [['plan'], ['apply', '--yes']]) {
      const { code, out, err } = await desk.vatom(...words, 'repo/shop', '--prune')
      expect({ code, out, err }).toEqual({ code: 2, out: '', err: pruning(`repo/shop/more ${isOutdated}`) })
      expect(err).toContain(
        'hint: in the repository around it, check that commit out: git submodule update --init --recursive;',
      )
      expect(err).toContain('; or stage the one that is there: git add; only if')
    }
    expect(await desk.vatom('plan', 'repo/shop')).toMatchObject({ code: 0 })
    desk.repo('add', 'shop/more')
    expect((await desk.vatom('plan', 'repo/shop', '--prune')).out).toContain('1 to delete')
  })

  test('is refused where a submodule is at another commit in repositories with names of SHA-256', async () => {
    const { vatom, more } = await twoCommits('sha256')
    const plan = () => vatom('plan', 'repo/shop', '--prune')
    expect(await plan()).toMatchObject({ code: 0, out: expect.stringContaining('3 unchanged') })
    more('checkout', 'HEAD~1')
    expect(await plan()).toMatchObject({ code: 2, err: pruning(`repo/shop/more ${isOutdated}`) })
  })

  test.each([
    ['has its refs in a reftable', 'ref: refs/heads/.invalid\n'],
    ['is on a branch that stands for itself', 'ref: HEAD\n'],
    ['has none', ''],
  ])(
    'goes on where the commit of a submodule is not known, and nothing would be deleted: it %s',
    async (_how, head) => {
      const { vatom, home } = await twoCommits()
      writeFileSync(join(home, 'repo/.git/modules/shop/more/HEAD'), head)
      expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject({ code: 0 })
    },
  )

  test('is refused where a link to a folder is a text, unless the folder is read anyway', async () => {
    const { vatom, git, file, home } = await repository('folder')
    file('repo/shared/tea.yaml', template('$publisher::Tea::v1'))
    for (const target of ['../shared', 'more']) {
      symlinkSync(target, join(home, 'repo/shop/link'))
      git('repo')('config', 'core.symlinks', 'true')
      git('repo')('add', '.')
      rmSync(join(home, 'repo/shop/link'))
      file('repo/shop/link', target)
      const { code, err } = await vatom('plan', 'repo/shop', '--prune')
      const is = 'repo/shop/link is a link to a folder, which git has written as a text (core.symlinks)'
      expect({ target, code, err }).toEqual(
        target === 'more'
          ? { target, code: 0, err: expect.not.stringContaining('link') }
          : { target, code: 2, err: pruning(is) },
      )
      rmSync(join(home, 'repo/shop/link'))
    }
  })

  test('is refused where a repository was exported without its submodule', async () => {
    const { vatom, git, home } = await repository('submodule')
    git('.')('clone', 'repo', 'export')
    rmSync(join(home, 'export/.git'), { recursive: true })
    const is = 'export/shop/more is a submodule of git that is not checked out'
    expect(await vatom('apply', 'export/shop', '--prune', '--yes')).toMatchObject({
      code: 2,
      out: '',
      err: pruning(is),
    })
    expect(await vatom('plan', 'export/shop')).toMatchObject({ code: 0 })
  })

  test('ends soon where a list of submodules is very long', async () => {
    const { vatom, git, home } = await repository('submodule')
    git('.')('clone', 'repo', 'export')
    rmSync(join(home, 'export/.git'), { recursive: true })
    writeFileSync(
      join(home, 'export/.gitmodules'),
      `${'\n'.repeat(300_000)}x\n[submodule "a"]\n\tpath = "shop/more"\r\n`,
    )
    expect(await vatom('plan', 'export/shop', '--prune')).toMatchObject({
      code: 2,
      err: pruning('export/shop/more is a submodule of git that is not checked out'),
    })
  })

  test('ends where an index says that a repository is within itself', async () => {
    const { vatom, git, home } = await repository('folder')
    git('repo')('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},x`)
    const index = readFileSync(join(home, 'repo/.git/index'))
    const name = index.indexOf(Buffer.from([0, 1, 'x'.charCodeAt(0), 0])) + 2
    index[name] = '.'.charCodeAt(0)
    writeFileSync(join(home, 'repo/.git/index'), index)
    expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject({
      code: 0,
      err: expect.not.stringContaining('error'),
    })
  })

  test('is refused where a submodule within a submodule is not checked out, or at another commit', async () => {
    const desk = await repository('submodule')
    const [inner, more] = [gitIn(desk, 'inner'), desk.git('more')]
    desk.file('inner/blue.yaml', variation('$publisher::Coupon::v1::Blue'))
    inner('init')
    inner('add', '.')
    inner('commit', '-m', 'begin')
    more('submodule', 'add', join(desk.home, 'inner'), 'nested')
    more('commit', '-m', 'more')
    const there = desk.git('repo/shop/more')
    there('pull')
    desk.git('repo')('add', 'shop/more')
    expect(await desk.vatom('plan', 'repo/shop', '--prune')).toMatchObject({
      code: 2,
      err: pruning('repo/shop/more/nested is a submodule of git that is not checked out'),
    })
    there('submodule', 'update', '--init')
    expect(await desk.vatom('plan', 'repo/shop', '--prune')).toMatchObject({ code: 0 })
    desk.git('repo/shop/more/nested')('commit', '--allow-empty', '-m', 'more')
    expect(await desk.vatom('plan', 'repo/shop', '--prune')).toMatchObject({
      code: 2,
      err: pruning(`repo/shop/more/nested ${isOutdated}`),
    })
  })

  test('is refused where a sparse checkout leaves out files of the catalog, and not for files elsewhere', async () => {
    const { vatom, git, file } = await repository('folder')
    file('repo/docs/readme.yaml', 'a: 1\n')
    git('repo')('add', '.')
    git('repo')('commit', '-m', 'more')
    git('repo')('sparse-checkout', 'set', '--no-cone', '/shop/*.yaml')
    expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject({
      code: 2,
      out: '',
      err: pruning('repo/shop/more/green.yaml is not in this checkout, which is a sparse one'),
    })
    expect((await vatom('plan', 'repo/shop', '--prune')).err).toContain(
      'git sparse-checkout disable; only if the catalog never owned what it describes: list it under ignore in vatom.yaml\n',
    )
    git('repo')('sparse-checkout', 'set', '--cone', '--sparse-index', 'shop/other')
    expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject({
      code: 2,
      err: pruning('repo/shop/more is not in this checkout, which is a sparse one'),
    })
    git('repo')('sparse-checkout', 'set', '--no-cone', '/shop/')
    expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 unchanged'),
    })
  })

  test('goes on where a sparse checkout leaves out a file of a catalog whose folder a catalog around it ignores', async () => {
    const { vatom, git, file } = await repository('folder')
    file('repo/shop/vatom.yaml', 'catalog: shop\nignore: [others/]\n')
    file('repo/shop/others/vatom.yaml', 'catalog: others\n')
    file('repo/shop/others/tea/vatom.yaml', 'catalog: tea\n')
    file('repo/shop/others/tea/tea.yaml', template('$publisher::Tea::v1'))
    git('repo')('add', '.')
    git('repo')('commit', '-m', 'others')
    git('repo')('sparse-checkout', 'set', '--no-cone', '/*', '!/shop/others/tea/tea.yaml')
    expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 unchanged'),
    })
  })

  test('deletes what was described by a file that was removed, also in a worktree', async () => {
    const { vatom, git, home } = await repository('submodule')
    git('repo')('worktree', 'add', '../tree')
    expect(await vatom('plan', 'tree/shop', '--prune')).toMatchObject({
      code: 2,
      err: pruning('tree/shop/more is a submodule of git that is not checked out'),
    })
    rmSync(join(home, 'repo/shop/more/green.yaml'))
    expect((await vatom('plan', 'repo/shop', '--prune')).out).toContain('1 to delete')
  })

  test.each([
    ['empty', Buffer.alloc(0)],
    ['cut', Buffer.concat([Buffer.from('DIRC'), Buffer.from([0, 0, 0, 2, 0, 0, 0, 9]), Buffer.alloc(30)])],
    ['of another form', Buffer.from('DIRC\0\0\0\u0009\0\0\0\u0001')],
    ...withLongNames,
  ])('goes on where the index of git is %s', async (_what, index) => {
    const { vatom, home } = await repository('folder')
    writeFileSync(join(home, 'repo/.git/index'), index)
    expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject({ code: 0 })
  })

  describe('is refused where it would delete something', () => {
    /** A repository whose catalog owns a variation that is in none of its files any more. */
    async function moved(how: 'submodule' | 'folder' = 'folder') {
      const desk = await repository(how)
      rmSync(join(desk.home, 'repo/shop/more'), { recursive: true })
      if (how === 'submodule') desk.git('repo')('rm', '-r', '--cached', 'shop/more')
      return desk
    }
    const refused = (what: string) => ({
      code: 2,
      out: '',
      err: expect.stringContaining(`error: ${what}: --prune may delete what it describes\n`),
    })
    const untold = refused('repo/.git does not tell what else is in the repository')

    test('and a submodule elsewhere in the repository is not checked out', async () => {
      const desk = await moved()
      const other = desk.git('other')
      desk.file('other/vatom.yaml', 'catalog: other\n')
      desk.file('other/green.yaml', variation())
      other('init')
      other('add', '.')
      other('commit', '-m', 'begin')
      desk.git('repo')('submodule', 'add', join(desk.home, 'other'), 'other')
      const plan = () => desk.vatom('plan', 'repo/shop', '--prune')
      expect((await plan()).out).toContain('also in repo/other, so it stays')
      desk.git('repo')('submodule', 'deinit', '--all', '--force')
      expect(await plan()).toMatchObject(refused('repo/other is a submodule of git that is not checked out'))
      expect((await plan()).err).toContain('hint: check it out: git submodule update --init --recursive;')
      rmSync(join(desk.home, 'repo/.git'), { recursive: true })
      expect(await plan()).toMatchObject(refused('repo/other is a submodule of git that is not checked out'))
    })

    test('and a submodule elsewhere in the repository is at another commit', async () => {
      const { vatom, json, file, more, repo, home } = await twoCommits()
      file('repo/own/vatom.yaml', 'catalog: own\n')
      file('repo/own/card.yaml', face())
      file('repo/own/moved.yaml', variation('$publisher::Coupon::v1::Moved'))
      await json('apply', 'repo/own', '--yes')
      renameSync(join(home, 'repo/own/moved.yaml'), join(home, 'repo/shop/more/moved.yaml'))
      more('add', '.')
      more('commit', '-m', 'move')
      repo('add', '.')
      more('checkout', 'HEAD~1')
      const plan = () => vatom('plan', 'repo/own', '--prune')
      expect(await plan()).toMatchObject(refused(`repo/shop/more ${isOutdated}`))
      repo('submodule', 'update')
      expect((await plan()).out).toContain('also in repo/shop, so it stays')
    })

    test.each(['repo/shop/more', 'repo/shop/more/part'])('and %s is in a submodule at another commit', async (own) => {
      const { vatom, file, more, repo } = await twoCommits()
      file(`${own}/vatom.yaml`, 'catalog: more\n')
      file(`${own}/first.yaml`, variation('$publisher::Coupon::v1::First'))
      more('add', '.')
      more('commit', '-m', 'catalog')
      file(`${own}/second.yaml`, variation('$publisher::Coupon::v1::Second'))
      more('add', '.')
      more('commit', '-m', 'second')
      repo('add', '.')
      expect(await vatom('apply', own, '--take-over', '--yes')).toMatchObject({ code: 0 })
      more('checkout', 'HEAD~1')
      expect(await vatom('plan', own, '--prune')).toMatchObject(refused(`repo/shop/more ${isOutdated}`))
      repo('add', '.')
      expect((await vatom('plan', own, '--prune')).out).toContain('1 to delete')
    })

    test.each([
      ['empty', Buffer.alloc(0)],
      ['cut', Buffer.concat([Buffer.from('DIRC'), Buffer.from([0, 0, 0, 2, 0, 0, 0, 9]), Buffer.alloc(30)])],
      ...withLongNames,
    ])('and the index of git is %s', async (_what, index) => {
      const { vatom, home } = await moved()
      writeFileSync(join(home, 'repo/.git/index'), index)
      expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject(untold)
    })

    test('and the index of git is gone, until git has made it anew', async () => {
      const { vatom, git, home } = await moved()
      rmSync(join(home, 'repo/.git/index'))
      const plan = () => vatom('plan', 'repo/shop', '--prune')
      expect(await plan()).toMatchObject(
        refused('repo/.git has no index, which would tell what else is in the repository'),
      )
      expect((await plan()).err).toContain('these are: git -C repo read-tree HEAD,')
      git('repo')('read-tree', 'HEAD')
      expect((await plan()).out).toContain('1 to delete')
    })

    test('and the index of git is split', async () => {
      const { vatom, git } = await moved()
      git('repo')('update-index', '--split-index')
      expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject(untold)
      git('repo')('update-index', '--no-split-index')
      expect((await vatom('plan', 'repo/shop', '--prune')).out).toContain('1 to delete')
    })

    test('and the commit of a submodule is not known, or it has none', async () => {
      const { vatom, file, json, home } = await twoCommits()
      file('repo/shop/red.yaml', variation('$publisher::Coupon::v1::Gone'))
      await json('apply', 'repo/shop', '--yes')
      rmSync(join(home, 'repo/shop/red.yaml'))
      const plan = () => vatom('plan', 'repo/shop', '--prune')
      expect((await plan()).out).toContain('1 to delete')
      const git = join(home, 'repo/.git/modules/shop/more')
      writeFileSync(join(git, 'HEAD'), '')
      expect(await plan()).toMatchObject(refused('repo/shop/more/.git does not tell what else is in the repository'))
      writeFileSync(join(git, 'HEAD'), 'ref: refs/heads/none\n')
      rmSync(join(git, 'logs'), { recursive: true })
      expect(await plan()).toMatchObject({ code: 2, err: pruning(`repo/shop/more ${isOutdated}`) })
    })

    test.each<[string, (git: string) => void]>([
      ['of a worktree', (git) => writeFileSync(git, 'gitdir: /nowhere/.git/worktrees/x\n')],
      ['to which a link leads', (git) => symlinkSync('/nowhere/.git', git)],
    ])('and the repository %s is not there', async (_what, replace) => {
      const { vatom, home } = await moved()
      rmSync(join(home, 'repo/.git'), { recursive: true })
      replace(join(home, 'repo/.git'))
      expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject(untold)
    })
  })

  test('deletes in a repository to which nothing was added so far', async () => {
    const { vatom, git, home } = await repository('folder')
    for (const gone of ['shop/more', '.git']) rmSync(join(home, 'repo', gone), { recursive: true })
    git('repo')('init')
    expect((await vatom('plan', 'repo/shop', '--prune')).out).toContain('1 to delete')
  })

  test('keeps what is elsewhere in the repository of which the catalog is a submodule', async () => {
    const { vatom, run, git, home } = await repository('submodule')
    const env = { CI: 'true', VATOM_CONTEXT: 'local' }
    const plan = async () => (await run(['plan', 'repo/shop/more', '--prune'], { env })).out
    writeFileSync(join(home, 'repo/shop/more/vatom.yaml'), 'catalog: more\n')
    expect(await vatom('apply', 'repo/shop/more', '--take-over', '--yes')).toMatchObject({ code: 0 })
    git('repo/shop/more')('rm', 'green.yaml')
    git('repo/shop/more')('commit', '-m', 'move')
    git('repo')('add', 'shop/more')
    writeFileSync(join(home, 'repo/shop/green.yaml'), variation())
    writeFileSync(join(home, 'repo/shop/more/blue.yaml'), variation('$publisher::Coupon::v1::Blue'))
    expect(await plan()).toContain('1 to delete')
    git('repo')('add', 'shop/green.yaml')
    expect(await plan()).toContain('also in repo/shop, so it stays')
    writeFileSync(join(home, 'repo/.git/index'), '')
    const untold = await run(['plan', 'repo/shop/more', '--prune'], { env })
    expect(untold).toMatchObject({ code: 2, err: expect.stringContaining('repo/.git does not tell what else') })
  })

  test('is refused where a submodule is not checked out in a repository with names of SHA-256', async () => {
    const desk = await repository('folder')
    for (const gone of ['shop/more', '.git']) rmSync(join(desk.home, 'repo', gone), { recursive: true })
    const repo = desk.git('repo')
    repo('init', '--object-format=sha256')
    repo('add', '.')
    repo('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(64)},shop/more`)
    expect(await desk.vatom('plan', 'repo/shop', '--prune')).toMatchObject({
      code: 2,
      err: pruning('repo/shop/more is a submodule of git that is not checked out'),
    })
  })

  test('goes on where the index of git is a pipe, without opening it', async () => {
    const { vatom, home } = await repository('folder')
    const index = join(home, 'repo/.git/index')
    rmSync(index)
    execFileSync('mkfifo', [index])
    // Who writes to a pipe waits until it is opened by a reader.
    const writer = spawn('sh', ['-c', ': > repo/.git/index; touch opened'], { cwd: home, stdio: 'ignore' })
    onTestFinished(() => void writer.kill())
    expect(await vatom('plan', 'repo/shop', '--prune')).toMatchObject({ code: 0 })
    expect(existsSync(join(home, 'opened'))).toBe(false)
  })
})

describe('a part of a catalog that git has left out', () => {
  const hint =
    'hint: check it out: git submodule update --init --recursive; in a pipeline: submodules: recursive (GitHub), GIT_SUBMODULE_STRATEGY: recursive (GitLab)'

  /** A clone of a repository, as pipelines make it: without the submodule `shop/more`. */
  async function cloned() {
    const desk = await repository('submodule')
    desk.git('.')('clone', 'repo', 'checkout')
    return desk
  }

  test('is a warning of validate, plan and apply in each format, which --max-warnings counts', async () => {
    const { vatom, json } = await cloned()
    const says = 'is not read: it is a submodule of git that is not checked out'
    const warning = expect.objectContaining({ file: 'checkout/shop/more', rule: 'checkout', message: says })
    for (const words of [['validate'], ['plan'], ['apply', '--yes']]) {
      const run = (...more: string[]) => vatom(...words, 'checkout/shop', ...more)
      const { code, err } = await run()
      expect({ words, code }).toEqual({ words, code: 0 })
      expect(err.split(`warning[checkout]: ${says}\n --> checkout/shop/more\n`)).toHaveLength(2)
      expect(err).toContain(
        `${hint}; only if the catalog never owned what it describes: list it under ignore in vatom.yaml\n`,
      )
      expect((await run('--format', 'github')).out).toContain('::warning file=checkout/shop/more')
      expect(await run('--max-warnings', '0')).toMatchObject({
        code: 3,
        err: expect.stringMatching(/more than --max-warnings 0[\s\S]*the warnings are .*checkout/),
      })
    }
    expect(await json('plan', 'checkout/shop')).toMatchObject({ warnings: expect.arrayContaining([warning]) })
    expect(await json('apply', 'checkout/shop', '--yes')).toMatchObject({
      warnings: expect.arrayContaining([warning]),
    })
    expect((await vatom('validate', 'checkout/shop', '--json')).out).toContain(says)
    expect((await vatom('validate', 'checkout/shop/coupon.yaml', '--within', 'checkout/shop')).err).toContain(says)
  })

  test('is no warning where it is checked out, ignored, or elsewhere in the repository', async () => {
    const { vatom, git, file } = await cloned()
    file('checkout/other/tea.yaml', template('$publisher::Tea::v1'))
    const silent = { code: 0, err: expect.not.stringContaining('checkout]') }
    expect(await vatom('validate', 'checkout/other', 'checkout/shop/coupon.yaml')).toMatchObject(silent)
    file('checkout/shop/vatom.yaml', 'catalog: shop\nignore: [more/]\n')
    expect(await vatom('validate', 'checkout')).toMatchObject(silent)
    file('checkout/shop/vatom.yaml', 'catalog: shop\n')
    expect((await vatom('validate', 'checkout')).err).toContain('--> checkout/shop/more\n')
    git('checkout')('submodule', 'update', '--init')
    expect(await vatom('validate', 'checkout')).toMatchObject(silent)
  })

  test('is a warning where a submodule is at another commit, unless that is staged, or it is ignored', async () => {
    const { vatom, file, more, repo } = await twoCommits()
    const silent = { code: 0, err: expect.not.stringContaining('checkout]') }
    expect(await vatom('validate', 'repo')).toMatchObject(silent)
    more('commit', '--allow-empty', '-m', 'third')
    for (const words of [['validate'], ['plan'], ['apply', '--yes']]) {
      const { code, err } = await vatom(...words, 'repo/shop')
      expect({ words, code }).toEqual({ words, code: 0 })
      expect(err.split(`warning[checkout]: ${isOutdated}\n --> repo/shop/more\n`)).toHaveLength(2)
      expect(err).toContain('only if the catalog never owned what it describes: list it under ignore in vatom.yaml\n')
      expect(await vatom(...words, 'repo/shop', '--max-warnings', '0')).toMatchObject({ code: 3 })
    }
    expect(await vatom('validate', 'repo/shop/more')).toMatchObject(silent)
    file('repo/shop/vatom.yaml', 'catalog: shop\nignore: [more/]\n')
    expect(await vatom('validate', 'repo')).toMatchObject(silent)
    file('repo/shop/vatom.yaml', 'catalog: shop\n')
    repo('add', 'shop/more')
    expect(await vatom('validate', 'repo')).toMatchObject(silent)
  })

  test('is the hint for a folder that has nothing else', async () => {
    const { vatom, home } = await cloned()
    const run = await vatom('validate', 'checkout/shop/more')
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringContaining(
        'hint: checkout/shop/more is a submodule of git that is not checked out; check it out: git submodule update',
      ),
    })
    expect(run.err).not.toContain('checkout]')
    rmSync(join(home, 'checkout/shop/coupon.yaml'))
    expect((await vatom('plan', 'checkout/shop')).err).toContain(
      'hint: checkout/shop/more is a submodule of git that is not checked out; check it out:',
    )
  })

  test('is the hint for what is not there because of it', async () => {
    const { vatom, git } = await cloned()
    for (const path of ['more/cat', 'more/cat/red.yaml'])
      expect((await vatom('plan', `checkout/shop/${path}`)).err).toContain(
        `error: checkout/shop/${path}: no such file or folder; nothing was sent\nhint: checkout/shop/more is a submodule of git that is not checked out; check it out: git submodule update`,
      )
    expect((await vatom('plan', 'checkout/shop/coupom.yaml')).err).toContain('hint: did you mean')
    const sparse = await repository('folder')
    sparse.git('repo')('sparse-checkout', 'set', '--no-cone', '/shop/*.yaml')
    for (const path of ['more', 'more/green.yaml'])
      expect((await sparse.vatom('validate', `repo/shop/${path}`)).err).toContain(
        'hint: repo/shop/more/green.yaml is not in this checkout, which is a sparse one; check out the whole catalog: git sparse-checkout disable\n',
      )
    git('checkout')('submodule', 'update', '--init')
    expect((await vatom('plan', 'checkout/shop/more/cat')).err).toContain('hint: checkout/shop/more has: green.yaml\n')
  })

  test('is one warning where a sparse checkout leaves out many files', async () => {
    const { vatom, git, file } = await repository('folder')
    file('repo/shop/more/blue.yaml', variation('$publisher::Coupon::v1::Blue'))
    file('repo/shop/more/readme.md', 'More')
    git('repo')('add', '.')
    git('repo')('commit', '-m', 'more')
    git('repo')('sparse-checkout', 'set', '--no-cone', '/shop/*.yaml')
    const { code, err } = await vatom('validate', 'repo/shop')
    expect(code).toBe(0)
    expect(err.split('warning[checkout]')).toHaveLength(2)
    expect(err).toContain(
      'is not read, like 1 other: it is not in this checkout, which is a sparse one\n --> repo/shop/more/blue.yaml\n',
    )
  })

  test('is a warning where a link to a folder is a text, unless the folder is read anyway', async () => {
    const { vatom, git, file, home } = await repository('folder')
    file('repo/shared/tea.yaml', template('$publisher::Tea::v1'))
    symlinkSync('../shared', join(home, 'repo/shop/link'))
    git('repo')('add', '.')
    rmSync(join(home, 'repo/shop/link'))
    file('repo/shop/link', '../shared')
    const says = 'is not read: it is a link to a folder, which git has written as a text'
    expect((await vatom('validate', 'repo/shop')).err).toContain(says)
    expect((await vatom('validate', 'repo')).err).not.toContain(says)
  })
  test('is the hint for a link to a file that is a text', async () => {
    const { vatom, file } = await repository('folder')
    file('repo/shared/tea.yaml', template('$publisher::Tea::v1'))
    file('repo/shop/tea.yaml', '../shared/tea.yaml')
    expect((await vatom('validate', 'repo/shop')).err).toContain(
      'hint: if it is a link to ../shared/tea.yaml, which git has written as a text (core.symlinks): put the file itself in its place\n',
    )
    file('repo/shop/tea.yaml', 'tea')
    expect((await vatom('validate', 'repo/shop')).err).not.toContain('core.symlinks')
  })
})
