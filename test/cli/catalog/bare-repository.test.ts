import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { template, variation } from '../../fixtures/yaml.ts'
import { gitIn } from '../../support/git.ts'
import { publisher } from '../../support/vatom.ts'

type Git = ReturnType<typeof gitIn>

const job = { CI: 'true', VATOM_CONTEXT: 'local' }

/** A bare repository whose files are deployed into `app`: a variation of catalog `a` moved to `teams/b` after it was applied. */
async function deployed() {
  const desk = await publisher()
  const { home, file } = desk
  const [repo, git] = [gitIn(desk, 'repo'), gitIn(desk, '.')]
  repo('init')
  file('repo/a/vatom.yaml', 'catalog: a\n')
  file('repo/a/coupon.yaml', template())
  file('repo/a/red.yaml', variation())
  file('repo/teams/b/vatom.yaml', 'catalog: b\n')
  repo('add', '.')
  repo('commit', '-m', 'begin')
  git('clone', '--bare', 'repo', 'app.git')
  const folder = join(home, 'app')
  mkdirSync(folder)
  const deploy = (...paths: string[]) => git('--git-dir=app.git', '--work-tree=app', 'checkout', '-f', 'main', ...paths)
  deploy()
  await desk.json('apply', 'app/a', '--yes')
  renameSync(join(home, 'repo/a/red.yaml'), join(home, 'repo/teams/b/red.yaml'))
  repo('add', '.')
  repo('commit', '-m', 'move')
  repo('push', '../app.git', 'main')
  deploy()
  const environment = (names: Readonly<Record<string, string>>) => {
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const [name, value] of Object.entries(names)) vi.stubEnv(name, value)
  }
  return {
    ...desk,
    git,
    folder,
    named: () => environment({ GIT_DIR: join(home, 'app.git'), GIT_WORK_TREE: folder }),
    environment,
    remove: (path: string) => rmSync(join(folder, path), { recursive: true }),
    plan: (catalog = 'app/a') => desk.run(['plan', catalog, '--prune'], { env: job }),
  }
}

const refused = (what: string) => ({ code: 2, out: '', err: expect.stringContaining(`error: ${what}`) })
const otherIsAbsent = refused(
  'app/teams/b is a catalog that is not in this checkout, although it is in the index of git',
)

describe('pruning in files of a bare repository that the environment names', () => {
  test('leaves what another catalog of the repository describes, and is refused where that is not there', async () => {
    const { plan, named, remove } = await deployed()
    named()
    expect((await plan()).out).toContain('also in app/teams/b, so it stays')
    remove('teams')
    expect(await plan()).toMatchObject(otherIsAbsent)
  })

  test('sees it also where the path of the files is one of a link', async () => {
    const { plan, environment, home, folder, remove } = await deployed()
    symlinkSync(folder, join(home, 'current'))
    remove('teams')
    environment({ GIT_DIR: join(home, 'app.git'), GIT_WORK_TREE: join(home, 'current') })
    expect(await plan()).toMatchObject(otherIsAbsent)
    expect(await plan('current/a')).toMatchObject(otherIsAbsent)
  })

  test('takes the folder of the files from the settings of the repository, where GIT_WORK_TREE is not set', async () => {
    const { plan, environment, git, home, folder, remove } = await deployed()
    remove('teams')
    git('--git-dir=app.git', 'config', 'core.bare', 'false')
    git('--git-dir=app.git', 'config', 'core.worktree', folder)
    environment({ GIT_DIR: join(home, 'app.git') })
    expect(await plan()).toMatchObject(otherIsAbsent)
  })

  test.each([
    ['is not set, as in a hook', {}],
    ['is empty', { GIT_WORK_TREE: '' }],
    ['names nothing that is there', { GIT_WORK_TREE: 'app' }],
  ])('is refused where GIT_WORK_TREE %s', async (_how, workTree) => {
    const { plan, environment, home } = await deployed()
    const git = join(home, 'app.git')
    environment({ GIT_DIR: git, ...workTree })
    const { code, out, err } = await plan()
    expect({ code, out }).toEqual({ code: 2, out: '' })
    const what = `${git}, which GIT_DIR names, is a bare repository, and GIT_WORK_TREE does not name the folder of its files`
    expect(err).toContain(`error: ${what}: --prune may delete what it describes\n`)
    expect(err).toContain(`hint: name both: export GIT_DIR=${git} GIT_WORK_TREE=FOLDER; if the catalog`)
  })

  test('is refused where the settings that may name the folder of its files got lost', async () => {
    const { plan, environment, home } = await deployed()
    const git = join(home, 'app.git')
    environment({ GIT_DIR: git })
    writeFileSync(join(git, 'config'), '')
    expect(await plan()).toMatchObject(
      refused(`${git}, which GIT_DIR names, is no repository that can be read: --prune`),
    )
    writeFileSync(join(git, 'config'), '[core]\n')
    expect(await plan()).toMatchObject(refused(`${git}, which GIT_DIR names, is a bare repository, and GIT_WORK_TREE`))
  })

  test('is not refused where nothing names the folder of its files, for a catalog in another repository', async () => {
    const { plan, environment, git, home } = await deployed()
    git('clone', 'app.git', 'elsewhere')
    environment({ GIT_DIR: join(home, 'app.git') })
    expect((await plan('elsewhere/a')).out).toContain('also in elsewhere/teams/b, so it stays')
  })

  test.each([
    ['and the folder of its files is named', true],
    ['and it is not', false],
  ])('is refused where GIT_DIR leads to no repository, %s', async (_how, isNamed) => {
    const { plan, environment, home, folder } = await deployed()
    const workTree: Readonly<Record<string, string>> = isNamed ? { GIT_WORK_TREE: folder } : {}
    const git = join(home, 'none.git')
    environment({ GIT_DIR: git, ...workTree })
    expect(await plan()).toMatchObject(
      refused(`${git}, which GIT_DIR names, is no repository that can be read: --prune`),
    )
    expect((await plan()).err).toContain('hint: correct GIT_DIR, or let this user read that folder; if the catalog')
    environment({ GIT_DIR: '.', ...workTree })
    expect(await plan()).toMatchObject(refused(`${resolve()}, which GIT_DIR names, is no repository that can be read`))
    expect((await plan()).err).toContain(
      'hint: GIT_DIR=. is relative to the current folder; before a script changes that: export GIT_DIR="$(git rev-parse --absolute-git-dir)";',
    )
  })

  test.each([
    ['cloned', 'packed-refs', (git: Git) => git('clone', '--bare', 'repo', 'bare.git')],
    [
      'pushed to',
      'refs/heads/main',
      (git: Git) => {
        git('init', '--bare', 'bare.git')
        git('-C', 'repo', 'push', '../bare.git', 'main')
      },
    ],
  ])('says how to make an index of a bare repository that was %s', async (_how, file, make) => {
    const { plan, environment, git, home, folder, remove } = await deployed()
    make(git)
    expect(existsSync(join(home, 'bare.git', file))).toBe(true)
    environment({ GIT_DIR: join(home, 'bare.git'), GIT_WORK_TREE: folder })
    expect(await plan()).toMatchObject(
      refused('bare.git has no index, which would tell what else is in the repository: '),
    )
    const [, command = ''] = /hint: .* these are: git (.*), or its name/.exec((await plan()).err) ?? []
    expect(command).toBe('--git-dir=bare.git read-tree HEAD')
    git(...command.split(' '))
    expect((await plan()).out).toContain('also in app/teams/b, so it stays')
    remove('teams')
    expect(await plan()).toMatchObject(otherIsAbsent)
  })

  /** Where the process is, which git takes for the folder of the files. */
  const inFolder = (folder: string) => {
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
    onTestFinished(() => cwd.mockRestore())
  }

  test('takes the current folder for that of the files, where nothing names it and the repository is not bare', async () => {
    const { plan, environment, git, home, folder, remove } = await deployed()
    remove('teams')
    environment({ GIT_DIR: join(home, 'app.git') })
    inFolder(folder)
    expect(await plan()).not.toMatchObject(otherIsAbsent)
    vi.unstubAllEnvs()
    git('--git-dir=app.git', 'config', 'core.bare', 'false')
    environment({ GIT_DIR: join(home, 'app.git') })
    expect(await plan()).toMatchObject(otherIsAbsent)
  })

  test.each([
    ['the repository has a folder of files elsewhere', 'app.git', 'app'],
    ['the repository is not bare', 'elsewhere/.git', undefined],
  ])('is not refused for a catalog in no repository where %s', async (_what, repository, files) => {
    const { plan, environment, git, home, folder } = await deployed()
    git('clone', 'app.git', 'elsewhere')
    cpSync(folder, join(home, 'loose'), { recursive: true })
    const workTree: Readonly<Record<string, string>> = files === undefined ? {} : { GIT_WORK_TREE: join(home, files) }
    environment({ GIT_DIR: join(home, repository), ...workTree })
    inFolder(join(home, 'elsewhere'))
    expect((await plan('loose/a')).out).toContain('Plan for ')
  })

  test('takes the folder of a bare repository named .git for that of the files', async () => {
    const { plan, environment, git, home } = await deployed()
    git('clone', '--bare', 'repo', 'site/.git')
    git('--git-dir=site/.git', '--work-tree=site', 'checkout', '-f', 'main')
    environment({ GIT_DIR: join(home, 'site/.git') })
    expect((await plan('site/a')).out).toContain('also in site/teams/b, so it stays')
  })

  test('does not take the current folder for it within a checkout, as in a hook', async () => {
    const { plan, environment, git, home } = await deployed()
    git('clone', 'app.git', 'elsewhere')
    environment({ GIT_DIR: join(home, 'elsewhere/.git') })
    inFolder(join(home, 'elsewhere/a'))
    expect((await plan('elsewhere/a')).out).toContain('also in elsewhere/teams/b, so it stays')
  })

  test('does not take a repository of its own in that folder, or one elsewhere, for it', async () => {
    const { plan, named, git, home, remove } = await deployed()
    git('clone', 'app.git', 'app/own')
    git('clone', 'app.git', 'elsewhere')
    named()
    remove('teams')
    for (const repository of ['app/own', 'elsewhere']) {
      expect((await plan(`${repository}/a`)).out).toContain(`also in ${repository}/teams/b, so it stays`)
      rmSync(join(home, repository, 'teams'), { recursive: true })
      expect(await plan(`${repository}/a`)).toMatchObject(refused(`${repository}/teams/b is a catalog that is not in`))
    }
  })
})

test('a file that was left out of what is deployed from a bare repository is a warning', async () => {
  const { vatom, named, git, remove } = await deployed()
  git('--git-dir=app.git', '--work-tree=app', 'update-index', '--skip-worktree', 'teams/b/red.yaml')
  remove('teams/b/red.yaml')
  named()
  expect((await vatom('validate', 'app')).err).toContain('is not in this checkout, which is a sparse one')
})

test.each([
  ['', 'app/a'],
  [', which are named by a link', 'current/a'],
])(
  'a pipeline is written beside the files of a bare repository%s, for the branch that it is on',
  async (_, catalog) => {
    const { vatom, named, git, home, folder } = await deployed()
    git('--git-dir=app.git', 'branch', '-m', 'main', 'trunk')
    symlinkSync(folder, join(home, 'current'))
    named()
    const { err } = await vatom('init', catalog, '--workflow', 'github')
    expect(existsSync(join(folder, '.github/workflows'))).toBe(true)
    expect(err).toContain('branches: [main]')
  },
)
