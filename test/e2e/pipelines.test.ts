import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ended, entry, newMachine } from '../support/binary.ts'
import { gitIn } from '../support/git.ts'

interface Step {
  readonly id?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The service that all pipelines are for, as its ready line says. */
let service: { readonly base_url: string; readonly app_id: string; readonly refresh_token: string }
/** A folder with a catalog. */
let checkout = ''
beforeAll(async () => {
  checkout = mkdtempSync(join(tmpdir(), 'vatom-test-'))
  const { start, vatom } = newMachine(entry, checkout)
  const child = start(['serve', '--port', '0', '--memory', '--json'])
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
  service = JSON.parse(line)
  expect(await vatom(['init', 'catalog', '--no-input'])).toMatchObject({ code: 0 })
  return () => {
    child.kill('SIGKILL')
    rmSync(checkout, { recursive: true, force: true })
  }
}, 30_000)

/** A publisher's machine with a checkout of a catalog and a pipeline, the empty service that it is for, and its secret. */
async function repository(name: string, file: string) {
  const { home, vatom } = newMachine()
  const { base_url, app_id, refresh_token: secret } = service
  const reset = await fetch(`${base_url}/__vatom/reset`, { method: 'POST' })
  expect(reset.status).toBe(200)
  cpSync(join(checkout, 'catalog'), join(home, 'catalog'), { recursive: true })
  const git = gitIn({ home }, '.')
  for (const words of [['init'], ['add', 'catalog'], ['commit', '-m', 'begin']]) git(...words)
  expect(await vatom(['init', 'catalog', '--workflow', name])).toMatchObject({ code: 0 })
  const env = { VATOM_BASE_URL: base_url, VATOM_APP_ID: app_id, VATOM_PUBLISHER: 'local.vatom' }
  return { home, env, secret, vatom, text: readFileSync(join(home, file), 'utf8') }
}

/** What npx does with the words that the pipelines give it, without npm, which takes longer to start than all else. */
const quickNpx = `#!/bin/sh
[ "$1 $2 $3" = '--no --offline vatom' ] && shift 3 && exec node_modules/.bin/vatom "$@"
`

/** Writes a program. */
const writeProgram = (file: string, text: string) => writeFileSync(file, text, { mode: 0o755 })

/**
 * A new machine of a pipeline: what `npm ci` installs, the checkout, and artifacts of earlier jobs. One of them has the npx
 * of npm.
 */
function runner(checkout: string, artifacts: Readonly<Record<string, string>> = {}, hasNpm = false) {
  const { home } = newMachine()
  const folder = join(home, 'work')
  gitIn({ home }, '.')('clone', '--depth', '1', `file://${checkout}`, 'work')
  const bin = join(folder, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  writeProgram(join(bin, 'vatom'), `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`)
  const own = join(home, 'bin')
  mkdirSync(own)
  if (!hasNpm) writeProgram(join(own, 'npx'), quickNpx)
  cpSync(join(checkout, 'catalog'), join(folder, 'catalog'), { recursive: true })
  for (const [name, text] of Object.entries(artifacts)) writeFileSync(join(folder, name), text)
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
  /** Runs lines as a pipeline does: in bash, which ends with the first command that fails. */
  const run = (lines: string, env: Readonly<Record<string, string>>) => {
    const given = { PATH: `${own}:${process.env.PATH}`, HOME: home, CI: 'true' }
    return ended(spawn('bash', ['-e', '-c', lines], { cwd: folder, env: { ...given, ...env }, stdio: 'pipe' }))
  }
  return { run, read, folder }
}

const isJwt = (text: string) => text.split('.').length === 3

/** A job of GitHub on a machine of its own: its `run` steps except npm ci, until one fails. */
async function githubJob(
  steps: readonly Step[],
  place: { readonly home: string; readonly secret: string; readonly env: Readonly<Record<string, string>> },
  artifacts?: Readonly<Record<string, string>>,
  hasNpm?: boolean,
) {
  const { run, read, folder } = runner(place.home, artifacts, hasNpm)
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary.md') }
  const branch = { GITHUB_REF: 'refs/heads/main', GITHUB_REF_NAME: 'main' }
  const env = { ...place.env, ...files, ...branch, GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder }
  const done: { code: number | null; out: string; err: string }[] = []
  for (const step of steps) {
    if (step.run === undefined || step.run === 'npm ci') continue
    const secrets = Object.entries(step.env ?? {}).map(([name, value]) => {
      expect(value).toBe(`\${{ secrets.${name} }}`)
      return [name, place.secret] as const
    })
    const { code, out, err } = await run(step.run, { ...env, ...Object.fromEntries(secrets) })
    expect(isJwt(place.secret) && (out + err).includes(place.secret), 'prints the secret').toBe(false)
    done.push({ code, out, err })
    if (code !== 0) break
  }
  const last = done.at(-1)
  return { code: last?.code, out: last?.out, err: last?.err, summary: read('summary.md'), output: read('output'), read }
}

describe('the workflow for GitHub', () => {
  test('validates, plans, applies the saved plan on another machine, and then has nothing to do', async () => {
    const place = await repository('github', '.github/workflows/catalog.yml')
    const { validate, plan, apply } = parse(place.text).jobs
    expect(parse(place.text).env).toHaveProperty('VATOM_BASE_URL')

    expect(await githubJob(validate.steps, place, {}, true)).toMatchObject({ code: 0 })
    const planned = await githubJob(plan.steps, place)
    expect(planned).toMatchObject({ code: 0, output: 'changes=true\n' })
    expect(planned.summary).toMatch(/^### Plan for 5 documents: 5 to create/)
    const saved = { 'catalog.plan': planned.read('catalog.plan') }
    const applied = await githubJob(apply.steps, place, saved)
    expect(applied).toMatchObject({ code: 0 })
    expect(applied.read('apply.xml')).toMatch(/failures="0"/)
    expect(await githubJob(plan.steps, place)).toMatchObject({ code: 0, output: 'changes=false\n' })
    expect(await githubJob(apply.steps, place, saved), 'the same plan again').toMatchObject({ code: 0 })
  }, 120_000)

  test('annotates mistakes, shows in the summary why a plan is refused, and names an unusable secret', async () => {
    const place = await repository('github', '.github/workflows/catalog.yml')
    const { validate, plan } = parse(place.text).jobs
    const file = join(place.home, 'catalog/catalog.yaml')
    const text = readFileSync(file, 'utf8')

    writeFileSync(file, text.replace('root_type: vAtom', 'root_type: Atom'))
    const invalid = await githubJob(validate.steps, place)
    expect(invalid).toMatchObject({
      code: 3,
      out: expect.stringMatching(/^::error file=catalog\/catalog\.yaml,line=\d+/),
    })

    writeFileSync(file, text.replace('unpublished: true', 'unpublished: false'))
    const session = { ...place.env, VATOM_REFRESH_TOKEN: place.secret }
    const published = await place.vatom(['apply', 'catalog', '--yes', '--publish'], { env: session })
    expect(published).toMatchObject({ code: 0 })
    writeFileSync(
      file,
      text.replace('unpublished: true', 'unpublished: false').replace('title: Catalog', 'title: Other'),
    )
    const refused = await githubJob(plan.steps, place)
    expect(refused).toMatchObject({ code: 1, output: '' })
    expect(refused.summary).toContain('Refused')

    for (const [secret, code] of [
      ['', 2],
      ['ended', 4],
    ] as const)
      expect(await githubJob(plan.steps, { ...place, secret })).toMatchObject({
        code,
        output: '',
        err: expect.stringContaining('VATOM_REFRESH_TOKEN'),
      })
  }, 120_000)
})

test('the pipeline for GitLab runs as written', async () => {
  const place = await repository('gitlab', '.gitlab-ci.yml')
  const { variables, validate, plan, apply } = parse(place.text)
  expect(Object.keys(variables)).toEqual(Object.keys(place.env))
  const env = { ...place.env, VATOM_REFRESH_TOKEN: place.secret }
  const job = async ({ script }: { script: string[] }, artifacts?: Record<string, string>) => {
    const machine = runner(place.home, artifacts)
    const ran = await machine.run(script.join('\n'), {
      ...env,
      CI_PROJECT_DIR: machine.folder,
      CI_COMMIT_BRANCH: 'main',
    })
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.out + ran.err).not.toContain(place.secret)
    return machine.read
  }
  const checked = await job(validate)
  expect(JSON.parse(checked(validate.artifacts.reports.codequality))).toEqual([])
  const planned = await job(plan)
  expect(planned(plan.artifacts.reports.junit)).toContain('<testsuites')
  const [saved] = plan.artifacts.paths
  const applied = await job(apply, { [saved]: planned(saved) })
  expect(applied(apply.artifacts.reports.junit)).toMatch(/tests="5" failures="0"/)
  const again = await job(plan)
  await job(apply, { [saved]: again(saved) })
}, 120_000)

test('the hook of pre-commit checks changed files as part of their catalog, without a session', async () => {
  const place = await repository('pre-commit', '.pre-commit-config.yaml')
  const [{ entry: line }] = parse(place.text).repos[0].hooks
  const { run, folder } = runner(place.home)
  expect(await run(`${line} catalog/catalog.faces.yaml catalog/catalog.yaml`, {})).toMatchObject({ code: 0 })
  const file = join(folder, 'catalog/catalog.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('CardImage', 'Card'))
  expect(await run(`${line} catalog/catalog.yaml`, {})).toMatchObject({
    code: 3,
    err: expect.stringContaining('CardImage'),
  })
  // A commit that only deletes names no file.
  expect(await run(line, {})).toMatchObject({ code: 3, err: expect.stringContaining('CardImage') })
}, 120_000)
