import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ended } from '../../support/binary.ts'
import { gitIn } from '../../support/git.ts'
import { publisher } from '../../support/vatom.ts'

/** What the jobs `plan` and `apply` run, and the variables of a run for the branch. */
const pipelines = {
  github: {
    file: '.github/workflows/catalog.yml',
    shell: ['bash', '-e'],
    scriptsOf: ({ jobs }) => [jobs.plan, jobs.apply].map(({ steps }) => steps.map(({ run = '' }) => run)),
    env: { GITHUB_REF: 'refs/heads/main', GITHUB_REF_NAME: 'main' },
    says: /^::error::main has a newer commit, with other files in shop\/, or others that may belong to it\. .*\. Run all jobs of the newest commit\.\n$/,
  },
  gitlab: {
    file: '.gitlab-ci.yml',
    shell: ['sh', '-e'],
    scriptsOf: ({ plan, apply }) => [plan.script, apply.script],
    env: { CI_COMMIT_BRANCH: 'main' },
    says: /^main has a newer commit, with other files in shop\/, or others that may belong to it\. .*\. Run all jobs of the newest commit\.\n$/,
  },
} as const satisfies Record<string, Pipeline>

interface GithubJob {
  readonly steps: readonly { readonly run?: string }[]
}
interface GitlabJob {
  readonly script: readonly string[]
}
/** What a file of GitHub or one of GitLab has. */
interface Parsed {
  readonly jobs: { readonly plan: GithubJob; readonly apply: GithubJob }
  readonly plan: GitlabJob
  readonly apply: GitlabJob
}

interface Pipeline {
  readonly file: string
  readonly shell: readonly [string, string]
  readonly scriptsOf: (parsed: Parsed) => readonly (readonly string[])[]
  readonly env: Readonly<Record<string, string>>
  readonly says: RegExp
}

/** What a job runs before it talks to the service, to compare its checkout with the branch. */
function comparison(script: readonly string[]): string {
  const before = script.slice(
    0,
    script.findIndex((lines) => /vatom (plan|apply) /.test(lines)),
  )
  return before.find((lines) => lines.includes('git fetch')) ?? ''
}

/** A repository with the pipeline of a catalog, and a run of its first commit, whose checkout has only that. */
async function outdatedRun(name: keyof typeof pipelines) {
  const { file, shell, scriptsOf, env } = pipelines[name]
  const { home, vatom } = await publisher()
  const git = gitIn({ home }, 'origin')
  const commit = (path: string, text: string) => {
    mkdirSync(join(home, 'origin', path, '..'), { recursive: true })
    writeFileSync(join(home, 'origin', path), text)
    git('add', '.')
    git('commit', '-m', path)
  }
  git('init')
  expect(await vatom('init', 'origin/shop', '--workflow', name)).toMatchObject({ code: 0 })
  commit('shop/tea.yaml', 'first')
  gitIn({ home }, '.')('clone', '--depth', '1', `file://${join(home, 'origin')}`, 'job')
  const scripts = scriptsOf(parse(readFileSync(join(home, 'origin', file), 'utf8')))
  const [lines = '', again] = scripts.map(comparison)
  expect(again, 'apply compares as plan does').toBe(lines)
  const [program, ...words] = shell
  const look = (variables: Readonly<Record<string, string>> = env) => {
    const given = { PATH: process.env.PATH, HOME: home, ...variables }
    return ended(spawn(program, [...words, '-c', lines], { cwd: join(home, 'job'), env: given }))
  }
  const job = gitIn({ home }, 'job')
  const checkOutNewest = () => {
    job('fetch', 'origin', 'main')
    job('reset', '--hard', 'FETCH_HEAD')
  }
  return { commit, git, look, home, checkOutNewest }
}

test.each(['github', 'gitlab'] as const)(
  'a run on %s refuses to plan and to apply a commit once a newer one has other files in the catalog',
  async (name) => {
    const { commit, git, look } = await outdatedRun(name)
    expect(await look(), 'the newest commit').toMatchObject({ code: 0, out: '', err: '' })
    commit('readme.md', 'of something else')
    expect(await look(), 'the same catalog').toMatchObject({ code: 0, out: '' })
    commit('shop/coffee.yaml', 'second')
    commit('readme.md', 'of a robot')
    expect(await look()).toMatchObject({ code: 1, out: expect.stringMatching(pipelines[name].says) })
    git('rm', 'shop/coffee.yaml')
    git('commit', '-m', 'back')
    expect(await look(), 'the catalog as it was').toMatchObject({ code: 0, out: '' })
    git('branch', '-m', 'other')
    expect(await look(), 'a branch that is gone').toMatchObject({ code: 128, err: expect.stringContaining('main') })
  },
)

test.each(['github', 'gitlab'] as const)(
  'so does a run on %s once a submodule of the catalog is at another commit, also where git is told to ignore it',
  async (name) => {
    const { commit, git, look, home, checkOutNewest } = await outdatedRun(name)
    const other = gitIn({ home }, 'other')
    other('init')
    other('commit', '--allow-empty', '-m', 'begin')
    git('submodule', 'add', join(home, 'other'), 'shop/more')
    git('config', '-f', '.gitmodules', 'submodule.shop/more.ignore', 'all')
    commit('shop/vatom.yaml', 'catalog: shop\n')
    checkOutNewest()
    expect(await look()).toMatchObject({ code: 0, out: '' })
    gitIn({ home }, 'origin/shop/more')('commit', '--allow-empty', '-m', 'next')
    git('add', '--force', 'shop/more')
    git('commit', '-m', 'more')
    expect(await look()).toMatchObject({ code: 1, out: expect.stringMatching(pipelines[name].says) })
  },
)

const documentsElsewhere = ['coffee.yaml', 'coffee.yml', 'coffee.json', 'coffee.YAML', 'coffee.Json']
test.each((['github', 'gitlab'] as const).flatMap((name) => documentsElsewhere.map((file) => [name, file] as const)))(
  'so does a run on %s once a newer commit has another %s in another folder',
  async (name, file) => {
    const { commit, look } = await outdatedRun(name)
    commit(`shared/${file}`, 'in another catalog')
    expect(await look()).toMatchObject({ code: 1, out: expect.stringMatching(pipelines[name].says) })
  },
)

test.each(['github', 'gitlab'] as const)(
  'so does a run on %s of a catalog with a link once a newer commit has another file of any name, to which it can lead',
  async (name) => {
    const { commit, look, home, checkOutNewest } = await outdatedRun(name)
    symlinkSync('../shared/coffee.tmpl', join(home, 'origin/shop/coffee.yaml'))
    commit('shared/coffee.tmpl', 'first')
    checkOutNewest()
    expect(await look(), 'the newest commit').toMatchObject({ code: 0, out: '' })
    commit('shared/coffee.tmpl', 'second')
    expect(await look()).toMatchObject({ code: 1, out: expect.stringMatching(pipelines[name].says) })
  },
)

test.each(['github', 'gitlab'] as const)(
  'a run on %s whose newest commit cannot be fetched fails, and says what to do',
  async (name) => {
    const { git, look } = await outdatedRun(name)
    git('branch', '-m', 'gone')
    const { code, out, err } = await look()
    expect({ code, err }).toEqual({ code: 128, err: expect.stringContaining('fatal: ') })
    expect(out.replace(/^::error::/, name === 'github' ? '' : '$&')).toMatch(
      /^The newest commit of main could not be fetched, and nothing was done\. If the branch is gone, .*\. Else run all jobs again: .*\.\n$/,
    )
  },
)

test.each(['github', 'gitlab'] as const)(
  'a run on %s whose checkout git cannot compare fails with what git says, and does not speak of a newer commit',
  async (name) => {
    const { commit, look, home } = await outdatedRun(name)
    gitIn({ home }, 'job')('config', 'diff.context', 'none')
    commit('shop/coffee.yaml', 'second')
    const { code, out, err } = await look()
    expect({ code, out, err }).toEqual({ code: 128, out: '', err: expect.stringContaining('fatal: ') })
  },
)

test('a merge request on GitLab is planned also where the default branch is newer', async () => {
  const { commit, look } = await outdatedRun('gitlab')
  commit('shop/coffee.yaml', 'second')
  expect(await look({})).toMatchObject({ code: 0, out: '', err: '' })
})

test('a pull request on GitHub is not compared with a branch', async () => {
  const { home, vatom } = await publisher()
  expect(await vatom('init', '--workflow', 'github')).toMatchObject({ code: 0 })
  const { steps } = parse(readFileSync(join(home, pipelines.github.file), 'utf8')).jobs.plan
  const comparing = steps.filter(({ run = '' }: { run?: string }) => run.includes('git fetch'))
  expect(comparing).toEqual([expect.objectContaining({ if: "github.event_name == 'push'" })])
})
