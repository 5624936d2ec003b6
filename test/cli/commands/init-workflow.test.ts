import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { template } from '../../fixtures/yaml.ts'
import { denyOpening } from '../../support/file-calls.ts'
import { codeBlocks, pageText } from '../../support/pages.ts'
import { publisher } from '../../support/vatom.ts'

const files = {
  github: '.github/workflows/catalog.yml',
  gitlab: '.gitlab-ci.yml',
  'pre-commit': '.pre-commit-config.yaml',
} as const
const names = ['github', 'gitlab', 'pre-commit'] as const

/** The file that the manual shows. */
const shown = (name: keyof typeof files): string =>
  codeBlocks(pageText('src/docs/pipelines.md')).find(({ mark }) => mark === `file ${files[name]}`)?.code ?? ''

/** A desk in a repository, and the text of a file there. */
async function repository() {
  const desk = await publisher()
  mkdirSync(join(desk.home, '.git'))
  return { ...desk, text: (name: string) => readFileSync(join(desk.home, name), 'utf8') }
}

/** What a published JSON Schema has against a document. */
function faults(schema: string, document: unknown) {
  const file = join(import.meta.dirname, '../../fixtures/pipelines', `${schema}.json`)
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(file, 'utf8')),
  )
  validate(document)
  return validate.errors ?? []
}

describe.each(names)('init --workflow %s', (name) => {
  test('writes what the manual shows, and nothing else', async () => {
    const { vatom, home, text } = await repository()
    const { code, out, err } = await vatom('init', 'catalog', '--workflow', name)
    expect({ code, out }).toEqual({ code: 0, out: `Wrote ${files[name]}\n` })
    expect(text(files[name])).toBe(shown(name))
    expect(shown(name)).toContain('catalog/')
    expect(existsSync(join(home, 'catalog'))).toBe(false)
    expect(err).toContain('catalog does not exist: the pipeline fails until it does; to make it: vatom init catalog\n')
    expect(err).toMatch(
      /^Next: (token=\$\(vatom auth token --refresh --yes\) && printf %s "\$token" \| |pre-commit install$)/m,
    )
  })

  test('overwrites nothing, and with --dry-run writes nothing', async () => {
    const { vatom, home, file, text } = await repository()
    expect(await vatom('init', 'catalog', '--workflow', name, '--dry-run')).toMatchObject({
      code: 0,
      out: `Would write ${files[name]}\n`,
    })
    expect(existsSync(join(home, files[name]))).toBe(false)
    const beside = name === 'pre-commit' ? 'mine' : 'script: npx vatom validate catalog/'
    file(files[name], beside)
    expect(await vatom('init', 'catalog', '--workflow', name)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exists already; nothing was written\nhint: .*vatom help pipelines/),
    })
    expect(text(files[name])).toBe(beside)
  })

  test('writes nothing through a link that leads out of the repository', async () => {
    const { vatom, home } = await repository()
    const [first = ''] = files[name].split('/')
    if (first === files[name]) return
    mkdirSync(join(home, '../elsewhere-of-it'), { recursive: true })
    onTestFinished(() => rmSync(join(home, '../elsewhere-of-it'), { recursive: true }))
    symlinkSync('../elsewhere-of-it', join(home, first))
    const { code, err } = await vatom('init', 'catalog', '--workflow', name)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('because of a link') })
    expect(readdirSync(join(home, '../elsewhere-of-it'))).toEqual([])
  })

  test('does not wait for a named pipe in its place', async () => {
    const { vatom, home } = await repository()
    mkdirSync(dirname(join(home, files[name])), { recursive: true })
    execFileSync('mkfifo', [join(home, files[name])])
    const { code, err } = await vatom('init', 'catalog', '--workflow', name)
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/exists already.*\nhint: it is no regular file/),
    })
  })

  test('from a folder below writes to the root of the repository, with paths from there', async () => {
    const { home, run } = await repository()
    mkdirSync(join(home, 'objects/tea.v2'), { recursive: true })
    const { code, out } = await run(['init', 'objects/tea.v2', '--workflow', name, '--json'])
    expect({ code, ...JSON.parse(out) }).toEqual({ code: 0, workflow: name, file: files[name] })
    const written = readFileSync(join(home, files[name]), 'utf8')
    expect(written).toMatch(/npx --no --offline vatom validate (--within )?objects\/tea\.v2\//)
    expect(written).not.toMatch(/catalog\//)
    if (name === 'pre-commit')
      expect(parse(written).repos[0].hooks[0].files).toBe('^objects/tea\\.v2/.*(?i:\\.(ya?ml|json))$')
  })

  test('from outside of the repository of the catalog writes into it, and says where to go on', async () => {
    const { vatom, home, file } = await publisher()
    mkdirSync(join(home, 'rep/.git'), { recursive: true })
    file('rep/shop/vatom.yaml', 'catalog: shop\n')
    const { code, out, err } = await vatom('init', 'rep/shop', '--workflow', name)
    expect({ code, out }).toEqual({ code: 0, out: `Wrote rep/${files[name]}\n` })
    expect(existsSync(join(home, files[name]))).toBe(false)
    const written = readFileSync(join(home, 'rep', files[name]), 'utf8')
    expect(written).toMatch(/vatom validate (--within )?shop\//)
    expect(written).not.toContain('rep/')
    expect(err).toMatch(/^Next: cd rep$(.*\n)+Next: /m)
  })

  test('installs and runs vatom where the package.json that names it is', async () => {
    const { vatom, file, text } = await repository()
    file('package.json', '{"workspaces": []}')
    file('app/package.json', '{"devDependencies": {"vatom": "file:vatom-0.1.0.tgz"}}')
    file('app/catalog/package.json', '{}')
    const { err } = await vatom('init', 'app/catalog', '--workflow', name)
    expect(err).toContain('It takes vatom from app/, whose package.json names it\n')
    expect(err).toContain('No package-lock.json in app/, which the pipeline installs vatom from: npm install\n')
    expect(err).not.toContain('No package.json')
    const other = await vatom('init', 'club/catalog', '--workflow', name, '--dry-run')
    expect(other.err).toContain('No package.json in club/catalog/ or above it names vatom')
    const written = text(files[name])
    expect(
      written.replaceAll(/npm ci --prefix app\b|npx --prefix app --no --offline vatom|app\/package-lock\.json/g, ''),
    ).not.toMatch(/npm ci|npx|package-lock/)
    expect(written).toMatch(/vatom validate (--within )?app\/catalog\//)
    if (name === 'github') expect(faults('github-workflow', parse(written))).toEqual([])
    if (name === 'github') expect(written.match(/cache-dependency-path: app\/package-lock\.json/g)).toHaveLength(3)
    if (name === 'gitlab') expect(faults('gitlab-ci', parse(written))).toEqual([])
  })

  test('in a workspace takes vatom from where its lockfile is', async () => {
    const { vatom, file, text } = await repository()
    file('package.json', '{"workspaces": ["app"]}')
    file('package-lock.json', '{}')
    file('app/package.json', '{"devDependencies": {"vatom": "file:vatom-0.1.0.tgz"}}')
    await vatom('init', 'app/catalog', '--workflow', name)
    expect(text(files[name])).not.toContain('--prefix')
  })
})

describe('init --workflow in a repository of another tool than npm', () => {
  const yarn2 = '# generated\n\n__metadata:\n  version: 8\n'
  const tools = [
    ['pnpm', 'pnpm-lock.yaml', '', 'corepack enable', 'pnpm install --frozen-lockfile'],
    ['yarn', 'yarn.lock', yarn2, 'corepack enable', 'yarn install --immutable'],
    ['yarn 1', 'yarn.lock', '# yarn lockfile v1\n', 'corepack enable', 'yarn install --frozen-lockfile'],
    ['bun', 'bun.lock', '{}', 'npm install --global bun', 'bun install --frozen-lockfile'],
    ['bun', 'bun.lockb', '', 'npm install --global bun', 'bun install --frozen-lockfile'],
  ] as const
  const vatomIn = '{"devDependencies": {"vatom": "file:vatom-0.1.0.tgz"}}'
  /** The commands by which a pipeline installs, each once. */
  const installs = {
    github: (text: string) => [
      ...new Set(
        Object.values<{ steps: { run?: string }[] }>(parse(text).jobs).flatMap(({ steps }) =>
          steps.flatMap(({ run = '' }) => (run.includes(' install ') || run.includes('npm ci') ? [run] : [])),
        ),
      ),
    ],
    gitlab: (text: string) => parse(text).default.before_script,
  }
  const schemas = { github: 'github-workflow', gitlab: 'gitlab-ci' } as const

  describe.each(['github', 'gitlab'] as const)('%s', (name) => {
    test.each(tools)('installs with %s, of which there is a %s', async (tool, lockfile, content, setUp, install) => {
      const { vatom, file, text } = await repository()
      file('package.json', vatomIn)
      file(lockfile, content)
      const { err } = await vatom('init', 'catalog', '--workflow', name)
      expect(err).toContain(`${tool} installs vatom, as the repository has a lock file of it\n`)
      expect(err).not.toMatch(/package-lock|\bnpm install/)
      const written = text(files[name])
      expect(installs[name](written)).toEqual([`${setUp} && ${install}`])
      expect(written).not.toMatch(/npm ci|package-lock|cache:/)
      expect(written).toContain('npx --no --offline vatom plan')
      expect(faults(schemas[name], parse(written))).toEqual([])
    })

    test.each(tools)('installs with %s in a folder of a workspace', async (_, lockfile, content, setUp, install) => {
      const { vatom, file, text } = await repository()
      file('package.json', '{"workspaces": ["app"]}')
      file('app/package.json', vatomIn)
      file(lockfile, content)
      await vatom('init', 'app/catalog', '--workflow', name)
      const written = text(files[name])
      expect(installs[name](written)).toEqual([`${setUp} && (cd app && ${install})`])
      expect(written).toContain('npx --prefix app --no --offline vatom plan')
      expect(faults(schemas[name], parse(written))).toEqual([])
    })
  })

  describe('that has no lock file', () => {
    const declaring = (packageManager: unknown) =>
      JSON.stringify({ packageManager, devDependencies: { vatom: 'file:vatom-0.1.0.tgz' } })

    test.each([
      ['pnpm@9.1.0', 'pnpm', 'corepack enable && pnpm install --frozen-lockfile', 'pnpm-lock.yaml', 'pnpm install'],
      ['yarn@4', 'yarn', 'corepack enable && yarn install --immutable', 'yarn.lock', 'yarn install'],
      [
        'yarn@1.22.22+sha1.ac',
        'yarn 1',
        'corepack enable && yarn install --frozen-lockfile',
        'yarn.lock',
        'yarn install',
      ],
      ['bun@1', 'bun', 'npm install --global bun && bun install --frozen-lockfile', 'bun.lock', 'bun install'],
    ])('installs with %s of packageManager', async (declared, tool, install, lockfile, lock) => {
      const { vatom, file, text } = await repository()
      file('package.json', declaring(declared))
      for (const name of ['github', 'gitlab'] as const) {
        const { err } = await vatom('init', 'catalog', '--workflow', name)
        expect(err).toContain(`${tool} installs vatom, as packageManager in package.json names it\n`)
        expect(err).toContain(`No ${lockfile} in ./, which the pipeline installs vatom from: ${lock}\n`)
        expect(installs[name](text(files[name]))).toEqual([install])
      }
    })

    test.each(['npm@10', 'pnpmish@1', 'yarn-like', 1, undefined])('installs with npm for %s', async (declared) => {
      const { vatom, file, text } = await repository()
      file('package.json', declaring(declared))
      const { err } = await vatom('init', 'catalog', '--workflow', 'github')
      expect(err).toContain('No package-lock.json in ./, which the pipeline installs vatom from: npm install\n')
      expect(installs.github(text(files.github))).toEqual(['npm ci'])
    })

    test('takes packageManager of a folder above, and what a lock file shows instead of it', async () => {
      const { vatom, file, text } = await repository()
      file('package.json', '{"packageManager": "pnpm@9.1.0"}')
      file('app/package.json', vatomIn)
      await vatom('init', 'app/catalog', '--workflow', 'github')
      expect(installs.github(text(files.github))).toEqual([
        'corepack enable && (cd app && pnpm install --frozen-lockfile)',
      ])
      file('app/package-lock.json', '{}')
      await vatom('init', 'app/catalog', '--workflow', 'gitlab')
      expect(installs.gitlab(text(files.gitlab))).toEqual([expect.stringContaining('npm ci --prefix app')])
    })
  })

  test.each([
    ['pnpm-lock.yaml', '', 'pnpm add --save-dev'],
    ['yarn.lock', yarn2, 'yarn add --dev'],
    ['bun.lock', '{}', 'bun add --dev'],
  ])('says how to add vatom beside %s', async (lockfile, content, add) => {
    const { vatom, file } = await repository()
    file(lockfile, content)
    const { err } = await vatom('init', 'catalog', '--workflow', 'github')
    expect(err).toContain(`names vatom, which the pipeline installs from one: ${add}, see vatom help pipelines\n`)
  })

  test('says what Yarn needs, so that npx finds vatom', async () => {
    const { vatom, file } = await repository()
    file('package.json', vatomIn)
    file('yarn.lock', yarn2)
    const words = ['init', 'catalog', '--workflow', 'github', '--dry-run']
    const needed = 'add to .yarnrc.yml: nodeLinker: node-modules\n'
    expect((await vatom(...words)).err).toContain(needed)
    file('.yarnrc.yml', 'nodeLinker: "pnp"\n')
    expect((await vatom(...words)).err).toContain(needed)
    file('.yarnrc.yml', 'nodeLinker: node-modules\n')
    expect((await vatom(...words)).err).not.toContain('.yarnrc.yml')
  })
})

test('a second catalog on GitLab installs vatom itself where the first one has it elsewhere', async () => {
  const { vatom, file, text } = await repository()
  for (const folder of ['a', 'b']) file(`${folder}/package.json`, '{"dependencies": {"vatom": "0.1.0"}}')
  for (const folder of ['a/one', 'a/two', 'b/three']) await vatom('init', folder, '--workflow', 'gitlab')
  expect(text('.gitlab/catalog-a-two.yml')).not.toContain('npm ci')
  expect(parse(text('.gitlab/catalog-b-three.yml'))['.catalog-b-three'].before_script).toEqual([
    'npm ci --prefix b --cache .npm --prefer-offline',
  ])
})

test.each([
  ['github', ({ jobs }: { jobs: object }) => Object.values(jobs).map((job) => job['timeout-minutes']), [10, 30, 60]],
  [
    'gitlab',
    ({ validate, plan, apply }: Record<string, { timeout: string }>) =>
      [validate, plan, apply].map((job) => job?.timeout),
    ['10 minutes', '30 minutes', '1 hour'],
  ],
] as const)('each job of %s ends by itself if it hangs', async (name, timesOf, times) => {
  const { vatom, text } = await repository()
  await vatom('init', 'catalog', '--workflow', name)
  expect(timesOf(parse(text(files[name])))).toEqual(times)
})

test('a workflow is written also where variables for a service are empty', async () => {
  const { run, text } = await repository()
  const env = { VATOM_REFRESH_TOKEN: '' }
  expect(await run(['init', 'catalog', '--workflow', 'github'], { env })).toMatchObject({ code: 0 })
  expect(text(files.github)).toContain('https://api.example.com')
})

test('a second catalog has a workflow of its own on GitHub; what exists is not replaced', async () => {
  const { vatom, text } = await repository()
  const written = async (folder: string) =>
    JSON.parse((await vatom('init', folder, '--workflow', 'github', '--json')).out)
  expect(await written('shop')).toMatchObject({ file: files.github })
  const first = text(files.github)
  const own = '.github/workflows/catalog-objects-tea.yml'
  expect(await written('objects/tea')).toMatchObject({ file: own })
  expect(text(own)).toContain('vatom validate objects/tea/ --format github')
  expect(parse(text(own))).toMatchObject({
    name: 'catalog-objects-tea',
    concurrency: { group: expect.stringMatching(/^catalog-objects-tea-\$/) },
  })
  expect(text(own)).not.toContain('shop')
  expect(text(files.github)).toBe(first)
  for (const folder of ['shop', 'objects/tea'])
    expect(await written(folder)).toMatchObject({ error: { message: expect.stringContaining('exists already') } })
})

test('beside a workflow of something else on GitHub, a catalog has one of its own', async () => {
  const { vatom, file, text } = await repository()
  file(files.github, 'name: mine\n')
  const own = '.github/workflows/catalog-shop.yml'
  expect(await vatom('init', 'shop', '--workflow', 'github')).toMatchObject({ code: 0, out: `Wrote ${own}\n` })
  expect(text(files.github)).toBe('name: mine\n')
  expect(parse(text(own))).toMatchObject({ name: 'catalog-shop' })
  expect(await vatom('init', 'shop', '--workflow', 'github')).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${own} exists already; nothing was written\nhint: shop/ is in it already`),
  })
})

test('a second catalog has jobs of its own on GitLab, in a file to include', async () => {
  const { vatom, text } = await repository()
  expect(await vatom('init', 'catalog', '--workflow', 'gitlab')).toMatchObject({ code: 0 })
  const first = text(files.gitlab)
  const own = '.gitlab/catalog-objects-tea.yml'
  const { code, out, err } = await vatom('init', 'objects/tea', '--workflow', 'gitlab')
  expect({ code, out }).toEqual({ code: 0, out: `Wrote ${own}\n` })
  expect(err).toContain(`Next: add to .gitlab-ci.yml: include: [{ local: ${own} }]\n`)
  expect(text(files.gitlab)).toBe(first)
  const [main, second] = [parse(first), parse(text(own))]
  expect(Object.keys(second)).toEqual(
    ['.', '', '', ''].map((dot, index) => `${dot}catalog-objects-tea${['', '-validate', '-plan', '-apply'][index]}`),
  )
  expect(second['.catalog-objects-tea']).toEqual({ variables: main.variables })
  expect(second['catalog-objects-tea-apply']).toEqual({
    extends: '.catalog-objects-tea',
    ...main.apply,
    needs: ['catalog-objects-tea-plan'],
    resource_group: 'catalog-objects-tea',
    script: [
      second['catalog-objects-tea-plan'].script[0],
      'npx --no --offline vatom apply catalog-objects-tea.plan --junit catalog-objects-tea-apply.xml',
    ],
    artifacts: { when: 'always', reports: { junit: 'catalog-objects-tea-apply.xml' } },
  })
  expect(second['catalog-objects-tea-plan'].needs).toEqual(['catalog-objects-tea-validate'])
  expect(second['catalog-objects-tea-plan'].script).toEqual([
    main.plan.script[0].replaceAll('catalog/', 'objects/tea/'),
    'npx --no --offline vatom plan objects/tea/ --out catalog-objects-tea.plan --junit catalog-objects-tea-plan.xml',
  ])
  expect(text(own)).not.toMatch(/ (catalog\/|catalog\.)/)
  const included = { ...main, include: [{ local: own }], ...second }
  expect([faults('gitlab-ci', second), faults('gitlab-ci', included)]).toEqual([[], []])
  for (const folder of ['catalog', 'objects/tea'])
    expect(await vatom('init', folder, '--workflow', 'gitlab')).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists already; nothing was written'),
    })
})

test('beside the pipeline of another tool on GitLab, jobs with an image of their own are written, and what to add is said', async () => {
  const { vatom, file, text } = await repository()
  const foreign = 'default:\n  image: ruby:3\nrspec:\n  script: [rspec]\n'
  file(files.gitlab, foreign)
  const own = '.gitlab/catalog-shop.yml'
  const { code, out, err } = await vatom('init', 'shop', '--workflow', 'gitlab')
  expect({ code, out }).toEqual({ code: 0, out: `Wrote ${own}\n` })
  expect(err).toContain(
    `Next: add to .gitlab-ci.yml: include: [{ local: ${own} }]\nNext: add to .gitlab-ci.yml: stages: [build, test, deploy, validate, plan, apply]\nNext: so that jobs without rules run in merge requests, too, include in .gitlab-ci.yml: template: Workflows/MergeRequest-Pipelines.gitlab-ci.yml\n`,
  )
  expect(text(files.gitlab)).toBe(foreign)
  const [manual, written] = [parse(shown('gitlab')), parse(text(own))]
  expect(written['.catalog-shop']).toEqual({ variables: manual.variables, ...manual.default })
  expect(faults('gitlab-ci', { ...parse(foreign), include: [{ local: own }], ...written })).toEqual([])
  file(files.gitlab, `include: [{ template: x }]\nworkflow: {}\nstages: [test]\n${foreign}`)
  const again = await vatom('init', 'tea', '--workflow', 'gitlab')
  expect(again.err).toContain(
    'Next: add to the list include of .gitlab-ci.yml: - local: .gitlab/catalog-tea.yml\nNext: add to the list stages of .gitlab-ci.yml what it lacks of: validate, plan, apply\n',
  )
  expect(again.err).not.toContain('Workflows/')
})

test('jobs on GitLab have the same rules where a file without workflow includes them', async () => {
  const { vatom, file, text } = await repository()
  await vatom('init', 'catalog', '--workflow', 'gitlab')
  const whole = parse(text(files.gitlab))
  file(files.gitlab, 'rspec:\n  script: [rspec]\n')
  await vatom('init', 'shop', '--workflow', 'gitlab')
  const included = parse(text('.gitlab/catalog-shop.yml'))
  for (const job of ['validate', 'plan', 'apply']) {
    expect(whole[job].rules).not.toHaveLength(0)
    expect(included[`catalog-shop-${job}`].rules).toEqual(whole[job].rules)
  }
})

test('names the service of the context, where the pipeline gets a session of its own', async () => {
  const { vatom, json } = await repository()
  await json('context', 'add', 'away', '--base-url', 'https://vatoms.example.org', '--app-id', 'tea')
  await json('context', 'add', 'other', '--base-url', 'https://other.example.org', '--app-id', 'tea')
  const { err } = await vatom('init', 'catalog', '--workflow', 'gitlab', '--context', 'away')
  expect(err).toContain('The pipeline uses https://vatoms.example.org, the service of the context away\n')
  expect(err).toContain(
    'Next: vatom login --context pipeline --base-url https://vatoms.example.org --app-id tea\nNext: token=$(vatom auth token --refresh --yes) && ',
  )
})

describe('a catalog of another publisher or service than that of another pipeline', () => {
  /** A desk in a repository, and the writer of a pipeline for a folder, a context and a publisher. */
  async function contexts() {
    const desk = await repository()
    await desk.json('context', 'add', 'away', '--base-url', 'https://vatoms.example.org', '--app-id', 'tea')
    await desk.json('context', 'add', 'staging', '--base-url', 'https://staging.example.org', '--app-id', 'tea')
    const init = (name: string, folder: string, publisher: string, context = 'away') =>
      desk.run(['init', folder, '--workflow', name, '--context', context], { env: { VATOM_PUBLISHER: publisher } })
    return { ...desk, init }
  }

  const usual = 'VATOM_REFRESH_TOKEN'
  const secretsIn = (text: string) => [...new Set(text.match(/(?<=secrets\.)\w+/g))]
  const pathOf = (folder: string) => `.github/workflows/catalog-${folder.replace('/', '-')}.yml`

  test('reads a secret of its own on GitHub, which the next steps name', async () => {
    const { init, text } = await contexts()
    await init('github', 'acme', 'acme.example')
    expect(secretsIn(text(files.github))).toEqual([usual])
    const { code, err } = await init('github', 'shops/beta', 'beta.example')
    expect(code).toBe(0)
    expect(err).toContain(`It reads the secret ${usual}_SHOPS_BETA: each publisher and service`)
    expect(err).toMatch(
      /^Next: vatom login --context pipeline-shops-beta .*\nNext: token=.* \| gh secret set VATOM_REFRESH_TOKEN_SHOPS_BETA$/m,
    )
    const written = parse(text(pathOf('shops/beta')))
    expect(secretsIn(text(pathOf('shops/beta')))).toEqual([`${usual}_SHOPS_BETA`])
    expect(written.jobs.plan.steps.at(-2).env).toEqual({ [usual]: `\${{ secrets.${usual}_SHOPS_BETA }}` })
    expect(faults('github-workflow', written)).toEqual([])
    expect(secretsIn(text(files.github))).toEqual([usual])
  })

  test('of another service, too; those with the same service and publisher share one', async () => {
    const { init, text, vatom } = await contexts()
    await init('github', 'acme', 'acme.example')
    await init('github', 'staging', 'acme.example', 'staging')
    await init('github', 'more', 'acme.example', 'staging')
    await init('github', 'tea', 'acme.example')
    await vatom('init', 'unknown', '--workflow', 'github')
    for (const [folder, secret] of [
      ['staging', `${usual}_STAGING`],
      ['more', `${usual}_STAGING`],
      ['tea', usual],
      ['unknown', usual],
    ] as const)
      expect([folder, secretsIn(text(pathOf(folder)))]).toEqual([folder, [secret]])
  })

  test('shares one with a pipeline whose publisher is in capitals, and whose address ends with a slash', async () => {
    const { init, text, file } = await contexts()
    await init('github', 'acme', 'acme.example')
    const written = text(files.github).replace('acme.example', 'ACME.example')
    file(files.github, written.replace(/VATOM_BASE_URL: .*(?=\n)/, '$&/'))
    expect(text(files.github)).toMatch(/VATOM_BASE_URL: .*\/\n(.*\n)*.*VATOM_PUBLISHER: ACME/)
    await init('github', 'tea', 'acme.example')
    expect(secretsIn(text(pathOf('tea')))).toEqual([usual])
  })

  test('whose folder differs from another one by a sign alone has no secret of that', async () => {
    const { init, text } = await contexts()
    await init('github', 'acme', 'acme.example')
    await init('github', 'a.b', 'b.example')
    await init('github', 'a-b', 'c.example')
    expect(secretsIn(text(pathOf('a-b')))).toEqual([`${usual}_A_B_2`])
  })

  test('takes the usual secret where the pipeline of the other one reads one that was renamed', async () => {
    const { init, text, file } = await contexts()
    await init('github', 'acme', 'acme.example')
    file(files.github, text(files.github).replaceAll(`secrets.${usual}`, 'secrets.ACME_TOKEN'))
    await init('github', 'beta', 'beta.example')
    await init('github', 'acme2', 'acme.example')
    expect(secretsIn(text(pathOf('beta')))).toEqual([usual])
    expect(secretsIn(text(pathOf('acme2')))).toEqual(['ACME_TOKEN'])
  })

  test.each([
    ['another pipeline', '.github/workflows/other.yml'],
    ['its own, which is there already,', files.github],
    ['.gitmodules', '.gitmodules'],
    ['a lock file', 'yarn.lock'],
    ['package.json', 'package.json'],
  ])('is not written where %s cannot be read: it says which file that is', async (_what, path) => {
    const { init, home, file } = await contexts()
    file(path, '')
    denyOpening(join(home, path))
    expect(await init('github', 'beta', 'beta.example')).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${path} cannot be read: EACCES: `),
    })
    expect(existsSync(join(home, pathOf('beta')))).toBe(false)
  })

  test('reads a variable of its own on GitLab, which no variable of the project wins over', async () => {
    const { init, text } = await contexts()
    await init('gitlab', 'acme', 'acme.example')
    const { err } = await init('gitlab', 'beta', 'beta.example')
    expect(err).toMatch(/^Next: token=.* \| glab variable set VATOM_REFRESH_TOKEN_BETA --masked$/m)
    const own = parse(text('.gitlab/catalog-beta.yml'))
    const prefix = `${usual}="$${usual}_BETA" npx --no --offline vatom`
    expect(own['catalog-beta-validate'].script[0]).toMatch(/^npx /)
    expect(own['catalog-beta-plan'].script.at(-1)).toMatch(new RegExp(`^${prefix.replaceAll('$', '\\$')} plan beta/ `))
    expect(own['catalog-beta-apply'].script.at(-1)).toContain(`${prefix} apply `)
    expect(own['catalog-beta-plan'].rules.at(-1).if).toMatch(/&& \$VATOM_REFRESH_TOKEN_BETA$/)
    expect(faults('gitlab-ci', { ...parse(text(files.gitlab)), ...own })).toEqual([])
    await init('gitlab', 'beta2', 'beta.example')
    expect(text('.gitlab/catalog-beta2.yml')).toContain(prefix)
  })
})

describe('a second catalog with pre-commit', () => {
  test('has a hook of its own in the same file', async () => {
    const { vatom, text } = await repository()
    await vatom('init', 'catalog', '--workflow', 'pre-commit')
    const first = text(files['pre-commit'])
    expect(await vatom('init', 'objects/tea', '--workflow', 'pre-commit', '--dry-run')).toMatchObject({
      out: `Would add a hook to ${files['pre-commit']}\n`,
    })
    expect(text(files['pre-commit'])).toBe(first)
    const { code, out } = await vatom('init', 'objects/tea', '--workflow', 'pre-commit')
    expect({ code, out }).toEqual({ code: 0, out: `Added a hook to ${files['pre-commit']}\n` })
    const both = text(files['pre-commit'])
    expect(both.startsWith(first)).toBe(true)
    const { repos } = parse(both)
    const [hook] = parse(first).repos[0].hooks
    expect(repos).toEqual([
      {
        repo: 'local',
        hooks: [
          hook,
          {
            ...hook,
            id: 'vatom-validate-objects-tea',
            name: 'vatom validate objects-tea',
            entry: 'npx --no --offline vatom validate --within objects/tea/ --max-warnings 0',
            files: '^objects/tea/.*(?i:\\.(ya?ml|json))$',
          },
        ],
      },
    ])
    for (const folder of ['catalog', 'objects/tea'])
      expect(await vatom('init', folder, '--workflow', 'pre-commit')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^error: .*exists already; nothing was written\nhint: \S+ is in it already/),
      })
    expect(text(files['pre-commit'])).toBe(both)
  })

  test.each([
    'repos:\n  - repo: https://example.com/other\n    rev: v1\n    hooks: [{ id: other }]\n',
    'repos:\n- repo: local\n  hooks:\n  - id: vatom-validate\n    entry: npx vatom validate --within catalog/\n',
  ])('is shown the lines to add to a file of another layout, which is left as it is: %j', async (existing) => {
    const { vatom, file, text } = await repository()
    file(files['pre-commit'], existing)
    const { code, err } = await vatom('init', 'objects/tea', '--workflow', 'pre-commit')
    const [title, ...shownLines] = err.split('\n')
    expect({ code, title }).toEqual({
      code: 1,
      title: `To check this catalog, too, add to the list repos of ${files['pre-commit']}:`,
    })
    const lines = shownLines.slice(
      0,
      shownLines.findIndex((line) => line.startsWith('error:')),
    )
    expect(parse(`repos:\n${lines.join('\n')}`).repos).toMatchObject([
      { repo: 'local', hooks: [{ id: 'vatom-validate-objects-tea', files: '^objects/tea/.*(?i:\\.(ya?ml|json))$' }] },
    ])
    expect(text(files['pre-commit'])).toBe(existing)
  })
})

test('hooks of catalogs whose folders differ by a hyphen alone have ids of their own', async () => {
  const { vatom, text } = await repository()
  const folders = ['catalog', 'teams/alpha', 'teams-alpha', 'teams-alpha-2']
  for (const folder of folders)
    expect(await vatom('init', folder, '--workflow', 'pre-commit')).toMatchObject({ code: 0 })
  const hooks: { id: string; name: string; entry: string }[] = parse(text(files['pre-commit'])).repos[0].hooks
  expect(hooks.map(({ entry }) => / --within (\S+)\/ /.exec(entry)?.[1])).toEqual(folders)
  for (const key of ['id', 'name'] as const) expect(new Set(hooks.map((hook) => hook[key])).size).toBe(folders.length)
})

describe('in a repository with submodules', () => {
  const gitmodules = '[submodule "shared"]\n\tpath = catalog/shared\n\turl = https://example.com/shared.git\n'

  test('the pipeline of a catalog with some checks them out', async () => {
    const { vatom, file, text } = await repository()
    file('.gitmodules', gitmodules)
    const { code, err } = await vatom('init', 'catalog', '--workflow', 'github')
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^It checks out catalog\/shared, too: .* private/m),
    })
    const { jobs } = parse(text(files.github))
    for (const { steps } of Object.values<{ steps: unknown[] }>(jobs))
      expect(steps[0]).toEqual({ uses: 'actions/checkout@v4', with: { submodules: 'recursive' } })
    expect(await vatom('init', 'catalog', '--workflow', 'gitlab')).toMatchObject({ code: 0 })
    const before = parse(shown('gitlab'))
    expect(parse(text(files.gitlab)).variables).toEqual({ ...before.variables, GIT_SUBMODULE_STRATEGY: 'recursive' })
  })

  test('that of another folder checks out none', async () => {
    const { vatom, file, text } = await repository()
    file('.gitmodules', gitmodules.replace('catalog/', 'lib/'))
    for (const name of names) {
      expect((await vatom('init', 'catalog', '--workflow', name)).err).not.toContain('checks out')
      expect(text(files[name])).toBe(shown(name))
    }
  })

  const vendored = '[submodule "tea"]\n\tpath = vendor/tea\n\turl = https://example.com/tea.git\n'

  test.each([
    ['that is checked out', true],
    ['that is not checked out', false],
  ])('so does that of a catalog with a link into one %s', async (_, isCheckedOut) => {
    const { vatom, file, home, text } = await repository()
    file('.gitmodules', vendored)
    file('catalog/vatom.yaml', 'catalog: tea\n')
    if (isCheckedOut) file('vendor/tea/cat/tea.yaml', template())
    symlinkSync('../vendor/tea/cat/tea.yaml', join(home, 'catalog/tea.yaml'))
    const { code, err } = await vatom('init', 'catalog', '--workflow', 'github')
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^It checks out vendor\/tea, too: /m) })
    expect(text(files.github).match(/submodules: recursive/g)).toHaveLength(3)
  })

  test.each(names)('%s: none is written for a folder that leads into one', async (name) => {
    const { vatom, file, home } = await repository()
    file('.gitmodules', vendored)
    file('vendor/tea/cat/tea.yaml', template())
    symlinkSync('vendor/tea/cat', join(home, 'catalog'))
    expect(await vatom('init', 'catalog', '--workflow', name)).toEqual({
      code: 2,
      out: '',
      err: `error: catalog leads into the git submodule vendor/tea, whose files another repository keeps\nhint: write the pipeline of that repository: cd vendor/tea && vatom init cat --workflow ${name}\n`,
    })
    expect(existsSync(join(home, files[name]))).toBe(false)
  })
})

describe.each(names)('init --workflow %s of a folder that is a link', (name) => {
  test('names the folder that it leads to, which git keeps', async () => {
    const { vatom, file, home, text } = await repository()
    file('shop/tea/tea.yaml', template())
    symlinkSync('shop', join(home, 'linked'))
    const { code, err } = await vatom('init', 'linked/tea', '--workflow', name)
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining(
        'The pipeline has shop/tea/, where linked/tea leads: git keeps no files behind a link\n',
      ),
    })
    expect(text(files[name])).toContain('shop/tea/')
    expect(text(files[name])).not.toContain('linked/')
  })

  test('to elsewhere is refused, and the hint names that folder', async () => {
    const { run, home } = await publisher()
    for (const folder of ['rep/.git', 'elsewhere']) mkdirSync(join(home, folder), { recursive: true })
    symlinkSync('../elsewhere', join(home, 'rep/catalog'))
    expect(await run(['init', 'catalog', '--workflow', name], { cwd: 'rep' })).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /\/elsewhere is outside the repository .*\nhint: change to its folder: cd \S*\/elsewhere\n/,
      ),
    })
    expect(existsSync(join(home, 'rep', files[name]))).toBe(false)
  })
})

test('the catalog can be the repository itself', async () => {
  const { vatom, text } = await repository()
  expect(await vatom('init', '--workflow', 'pre-commit')).toMatchObject({ code: 0 })
  const [hook] = parse(text('.pre-commit-config.yaml')).repos[0].hooks
  expect(hook).toMatchObject({
    entry: 'npx --no --offline vatom validate --within ./ --max-warnings 0',
    files: '^.*(?i:\\.(ya?ml|json))$',
  })
})

test('a catalog that is the whole repository has no document in what a pipeline writes', () => {
  const written = names.flatMap((name) =>
    [...shown(name).matchAll(/(?:>|--out|--junit) (\S+)/g)].map(([, file = '']) => file),
  )
  expect(written).toEqual(expect.arrayContaining(['catalog.plan', 'catalog.report', 'apply.xml']))
  expect(written.filter((file) => /\.(ya?ml|json)$/.test(file))).toEqual([])
})

test('fills in the service of the context, and says what is left to replace', async () => {
  const { vatom, json, text } = await repository()
  const none = await vatom('init', 'catalog', '--workflow', 'gitlab')
  expect(none.err).toContain('Replace in it: https://api.example.com, your-app-id, publisher.example\n')
  await json('context', 'add', 'away', '--base-url', 'https://vatoms.example.org', '--app-id', 'tea')
  const run = await vatom('init', 'catalog', '--workflow', 'github', '--context', 'away')
  expect(run).toMatchObject({ code: 0, err: expect.stringContaining('Replace in it: publisher.example\n') })
  expect(parse(text(files.github)).env).toEqual({
    VATOM_BASE_URL: 'https://vatoms.example.org',
    VATOM_APP_ID: 'tea',
    VATOM_PUBLISHER: 'publisher.example',
  })
})

test.each(['github', 'gitlab'] as const)(
  'the values of %s are what the context says, whatever YAML could read in them',
  async (name) => {
    const { vatom, json, text } = await repository()
    const services = [
      ['https://catalog.plan.example.org/a:', '0123'],
      ['https://publisher.example/your-app-id', 'publisher.example'],
      ['https://vatoms.example.org', '#a'],
      ['https://vatoms.example.org', '{a:,"b"}'],
      ['https://vatoms.example.org', 'no'],
    ] as const
    for (const [index, [address, id]] of services.entries()) {
      await json('context', 'add', `c${index}`, '--base-url', address, '--app-id', id)
      const { out } = await vatom('init', `shop${index}`, '--workflow', name, '--context', `c${index}`, '--json')
      const { env, variables = env, ...jobs } = parse(text(JSON.parse(out).file), { version: '1.1' })
      expect(variables ?? jobs[`.catalog-shop${index}`].variables).toEqual({
        VATOM_BASE_URL: address,
        VATOM_APP_ID: id,
        VATOM_PUBLISHER: 'publisher.example',
      })
    }
  },
)

test.each([
  ['https://vatoms.example.org', `\${{secrets.OTHER}}`],
  ['https://vatoms.example.org/$OTHER', 'tea'],
])('refuses what a pipeline would read as a variable: %s, %s', async (address, id) => {
  const { vatom, json, home } = await repository()
  await json('context', 'add', 'away', '--base-url', address, '--app-id', id)
  for (const name of ['github', 'gitlab'] as const) {
    const { code, err } = await vatom('init', 'shop', '--workflow', name, '--context', 'away')
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^error: A pipeline cannot have .*\nhint: /) })
    expect(existsSync(join(home, files[name]))).toBe(false)
  }
  expect(await vatom('init', 'shop', '--workflow', 'pre-commit', '--context', 'away')).toMatchObject({ code: 0 })
})

test('a publisher that is saved for a context, and no domain name, gets into no pipeline', async () => {
  const { vatom, json, home, text } = await repository()
  await json('context', 'add', 'away', '--base-url', 'https://vatoms.example.org', '--app-id', 'tea')
  const config = join(home, '.config/vatom/config.json')
  const saved = JSON.parse(readFileSync(config, 'utf8'))
  saved.contexts.away.publisher = 'x.example\ndefaults:\n  run:\n    shell: evil {0}'
  writeFileSync(config, JSON.stringify(saved))
  const { code, err } = await vatom('init', 'shop', '--workflow', 'github', '--context', 'away')
  expect(code).toBe(0)
  expect(err).toContain(
    'the publisher that is saved for away is no domain name, and is not used: x.example\\ndefaults:',
  )
  expect(err).toContain('sign in again: vatom login --context away\n')
  expect(err).toContain('Replace in it: publisher.example\n')
  expect(Object.keys(parse(text(files.github)))).toEqual(Object.keys(parse(shown('github'))))
})

test('says why it does not write the address of a service on this machine', async () => {
  const { vatom, json, text } = await repository()
  await json('context', 'add', 'here', '--base-url', 'http://127.0.0.1:4100', '--app-id', 'local')
  const { err } = await vatom('init', 'catalog', '--workflow', 'github', '--context', 'here')
  expect(err).toContain('a pipeline cannot reach http://127.0.0.1:4100, which is on this machine: write the address')
  expect(parse(text(files.github)).env).toMatchObject({ VATOM_BASE_URL: 'https://api.example.com' })
  expect((await vatom('init', 'catalog', '--workflow', 'gitlab')).err).not.toContain('cannot reach')
})

test('fills in the publisher that the environment names', async () => {
  const { run, json, text } = await repository()
  await json('context', 'add', 'away', '--base-url', 'https://vatoms.example.org', '--app-id', 'tea')
  const env = { VATOM_PUBLISHER: 'acme.example' }
  const { err } = await run(['init', 'catalog', '--workflow', 'github', '--context', 'away'], { env })
  expect(err).not.toContain('Replace in it')
  expect(parse(text(files.github)).env).toMatchObject({ VATOM_PUBLISHER: 'acme.example' })
})

test('names the branch that is applied, where the repository is on another one', async () => {
  for (const [branch, left] of [
    ['main', ''],
    ['master', ', branches: [main]'],
  ]) {
    const { vatom, file } = await repository()
    file('.git/HEAD', `ref: refs/heads/${branch}\n`)
    const { err } = await vatom('init', 'catalog', '--workflow', 'github')
    expect(err).toContain(`, publisher.example${left}\n`)
    expect((await vatom('init', 'catalog', '--workflow', 'gitlab')).err).not.toContain('branches')
  }
})

test('knows the branch where .git is a file, as in worktrees and submodules', async () => {
  for (const [said, branches] of [
    ['gitdir: ../kept/worktrees/shop\n', ', branches: [main]'],
    ['of another form\n', ''],
  ]) {
    const { run, file, home } = await publisher()
    file('kept/worktrees/shop/HEAD', 'ref: refs/heads/other\n')
    file('shop/.git', String(said))
    const init = (...words: string[]) => run(['init', 'catalog', '--workflow', ...words], { cwd: 'shop' })
    for (const name of names) {
      expect(await init(name, '--dry-run')).toMatchObject({ code: 0 })
      const { code, out } = await init(name, '--json')
      expect({ code, document: JSON.parse(out) }).toMatchObject({ code: 0, document: { file: files[name] } })
      rmSync(join(home, 'shop', files[name]))
    }
    expect((await init('github')).err).toContain(`, publisher.example${branches}\n`)
  }
})

test.each([
  ['main', 'main', ''],
  ['release/1.0', 'release/1.0', ''],
  ['true', 'true', ''],
  ['on', 'on', ''],
  ['null', 'null', ''],
  ["it's", 'main', ', branches: [main]'],
])('applies the default branch %s of the repository that it was cloned from', async (branch, applied, left) => {
  const { run, file, home } = await publisher()
  const way = '.git/worktrees/shop'
  file('clone/.git/HEAD', 'ref: refs/heads/feature\n')
  file('clone/.git/refs/remotes/origin/HEAD', `ref: refs/remotes/origin/${branch}\n`)
  file(`clone/${way}/HEAD`, 'ref: refs/heads/other\n')
  file(`clone/${way}/commondir`, '../..\n')
  file('worktree/.git', `gitdir: ../clone/${way}\n`)
  for (const cwd of ['clone', 'worktree']) {
    const { code, err } = await run(['init', 'catalog', '--workflow', 'github'], { cwd })
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`, publisher.example${left}\n`) })
    expect(parse(readFileSync(join(home, cwd, files.github), 'utf8')).on.push.branches).toEqual([applied])
  }
})

test('names the login where no context is saved, and lets plain http be sent where the context does', async () => {
  const { vatom, json, text } = await repository()
  const none = await vatom('init', 'catalog', '--workflow', 'gitlab')
  expect(none.err).toContain(
    'Next: vatom login --context pipeline --base-url https://api.example.com --app-id your-app-id\nNext: token=$(',
  )
  expect(text(files.gitlab)).not.toContain('VATOM_INSECURE')
  const place = ['--base-url', 'http://vatoms.example.org', '--app-id', 'tea', '--insecure']
  await json('context', 'add', 'away', ...place)
  const { err } = await vatom('init', 'catalog', '--workflow', 'github', '--context', 'away')
  expect(err).toContain(
    'Next: vatom login --context pipeline --base-url http://vatoms.example.org --app-id tea --insecure\n',
  )
  expect(parse(text(files.github)).env).toMatchObject({ VATOM_INSECURE: '1' })
})

test('nothing that is shown runs a package that is not installed', () => {
  for (const name of names) expect(shown(name).match(/npx (?!--no --offline vatom )/)).toBeNull()
})

test.each([
  [['../else'], /is outside the repository/],
  [['--', '-x'], /A pipeline cannot name the folder -x\nhint: rename it/],
  [['my catalog'], /A pipeline cannot name the folder my catalog\nhint: rename it/],
  [['catalog', '--name', 'Tea'], /--workflow writes no catalog, and excludes --name/],
  [['catalog', '--root-type', 'vAtom::vAtomType'], /excludes --root-type/],
])('%j is a usage error, and nothing is written', async (words, message) => {
  const { vatom, home } = await repository()
  expect(await vatom('init', '--workflow', 'github', ...words)).toMatchObject({
    code: 2,
    err: expect.stringMatching(message),
  })
  expect(existsSync(join(home, '.github'))).toBe(false)
})

describe('what is written is valid', () => {
  test('for GitHub, as its published JSON Schema says', () => {
    const workflow = parse(shown('github'))
    expect(faults('github-workflow', workflow)).toEqual([])
    expect(faults('github-workflow', { ...workflow, job: {} })).not.toEqual([])
    expect(Object.keys(workflow.on)).toEqual(['pull_request', 'merge_group', 'push'])
    const { validate, plan, apply } = workflow.jobs
    expect({ plan: plan.needs, apply: apply.needs, validate: validate.needs }).toEqual({
      plan: 'validate',
      apply: 'plan',
    })
    expect(Object.keys(workflow.env)).not.toContain('VATOM_REFRESH_TOKEN')
    const withToken = [validate, plan, apply].map(({ steps }) =>
      steps.flatMap(({ env, run }: { env?: object; run?: string }) => (env ? [run?.match(/vatom (\w+)/)?.[1]] : [])),
    )
    expect(withToken).toEqual([[], ['plan'], ['apply']])
  })

  test('for GitLab, as its published JSON Schema says', () => {
    const pipeline = parse(shown('gitlab'))
    expect(faults('gitlab-ci', pipeline)).toEqual([])
    expect(faults('gitlab-ci', { ...pipeline, apply: { ...pipeline.apply, scripts: [] } })).not.toEqual([])
    expect(pipeline.stages).toEqual(['validate', 'plan', 'apply'])
  })

  test('for pre-commit: the keys of a local hook, and patterns that choose documents', () => {
    const { repos, ...rest } = parse(shown('pre-commit'))
    expect(rest).toEqual({})
    expect(repos).toEqual([{ repo: 'local', hooks: [expect.any(Object)] }])
    const [{ files: wanted, ...hook }] = repos[0].hooks
    expect(hook).toEqual({
      id: 'vatom-validate',
      name: 'vatom validate',
      entry: 'npx --no --offline vatom validate --within catalog/ --max-warnings 0',
      language: 'system',
      require_serial: true,
      always_run: true,
    })
    // Python has groups in which the case of letters does not matter.
    const pattern = new RegExp(wanted.replace('(?i:', '(?:'), 'i')
    const chosen = (file: string) => pattern.test(file)
    expect(
      ['catalog/a.yaml', 'catalog/b/c.faces.yml', 'catalog/d.json', 'catalog/E.YAML'].filter((file) => !chosen(file)),
    ).toEqual([])
    expect(['a.yaml', 'catalog/README.md'].filter(chosen)).toEqual([])
  })
})

test.each([
  [
    ['campaign'],
    'This folder is not a catalog, and campaign in it is\nhint: did you mean: vatom init campaign --workflow github\n',
  ],
  [
    ['-dash'],
    'This folder is not a catalog, and -dash in it is\nhint: did you mean: vatom init ./-dash --workflow github\n',
  ],
  [
    ['campaign', 'shop'],
    'This folder is not a catalog, and campaign, shop in it are\nhint: for one of them: vatom init campaign --workflow github\n',
  ],
])('a folder that has catalogs in it and is none is refused: %j', async (catalogs, says) => {
  const { file, vatom, home } = await publisher()
  for (const catalog of catalogs) file(`${catalog}/vatom.yaml`, 'catalog: x\n')
  expect(await vatom('init', '--workflow', 'github')).toEqual({ code: 2, out: '', err: `error: ${says}` })
  expect(existsSync(join(home, '.github'))).toBe(false)
})

test
  .runIf(process.platform === 'linux')
  .each([...names.map((name): [string, string] => [name, files[name]]), ['gitlab', '.gitmodules']])(
  'of %s, a %s that is a link to a file of the system is not read, and nothing is written',
  async (name, file) => {
    const { vatom, home } = await publisher()
    mkdirSync(dirname(join(home, file)), { recursive: true })
    symlinkSync('/proc/self/status', join(home, file))
    const before = readdirSync(home, { recursive: true })
    expect(await vatom('init', '.', '--workflow', name)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /exists already; nothing was written\nhint: it is no regular file, or too large: remove it\n$/,
      ),
    })
    expect(readdirSync(home, { recursive: true })).toEqual(before)
  },
)
