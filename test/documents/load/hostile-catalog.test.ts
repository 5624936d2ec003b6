import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { formats } from '../../../src/contract/values.ts'
import { face, template } from '../../fixtures/yaml.ts'
import { newFolder } from '../../support/folders.ts'
import { hostile, unsafeIn } from '../../support/hostile-service.ts'
import { type Desk, publisher } from '../../support/vatom.ts'

/** What every command does with a catalog, and must do with a hostile one: end, with one valid document and a report. */
const readers: readonly (readonly string[])[] = [
  ['validate', 'c'],
  ['plan', 'c'],
  ['apply', 'c', '--dry-run'],
  ['template', 'validate', 'c'],
  ['pull', 'c', '--dry-run'],
]

async function catalog(): Promise<Desk> {
  const desk = await publisher()
  desk.file('c/coupon.yaml', template())
  return desk
}

/** What has the name of a document and is no file, and what makes it. */
const noFiles: Readonly<Record<string, (path: string) => void>> = {
  'pipe.yaml': (path) => void execFileSync('mkfifo', [path]),
  'zero.json': (path) => symlinkSync('/dev/zero', path),
  'null.yml': (path) => symlinkSync('/dev/null', path),
  'socket.yaml': (path) => {
    const socket = createServer().listen(path)
    onTestFinished(() => void socket.close())
  },
}

test.each(readers.map((words) => ({ words })))(
  'vatom $words passes over what is linked in circles, and what is no file and has no name of a document',
  async ({ words }) => {
    const { home, file, run } = await catalog()
    const inside = (name: string) => join(home, 'c', name)
    file('c/vatom.yaml', 'ignore: [ignored]\n')
    mkdirSync(inside('ignored'))
    for (const [name, make] of Object.entries(noFiles)) {
      make(inside(name.replace(/\..*/, '')))
      make(inside(`ignored/${name}`))
    }
    symlinkSync('..', inside('up'))
    symlinkSync('/', inside('root'))
    symlinkSync('somebody@host.1234', inside('.#coupon.yaml'))
    const { code, out, err } = await run([...words, '--json'])
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('error:') })
    expect(out).not.toContain('/etc/')
  },
)

test.each(readers.map((words) => ({ words })))(
  'vatom $words names what has the name of a document and is no file: its documents are missing, not gone',
  async ({ words }) => {
    const { home, run } = await catalog()
    for (const [name, make] of Object.entries(noFiles)) {
      make(join(home, 'c', name))
      const { code, out, err } = await run(words)
      expect({ code, out, err }).toEqual({
        code: 3,
        out: '',
        err: expect.stringContaining(`c/${name}: is no regular file`),
      })
      rmSync(join(home, 'c', name))
    }
  },
)

test.each(readers.map((words) => ({ words })))(
  'vatom $words names a link that leads nowhere: its documents are missing, not gone',
  async ({ words }) => {
    const { home, run } = await catalog()
    for (const name of ['dangling.yaml', 'looks', 'logo.png']) symlinkSync('/nowhere/at/all', join(home, 'c', name))
    const { code, out, err } = await run(words)
    expect(code).not.toBe(0)
    expect(err).toMatch(/c\/dangling.yaml: links to a file that does not exist/)
    expect(err).not.toContain('logo.png')
    expect(out).not.toContain('coupon')
  },
)

test.each(readers.map((words) => ({ words })))(
  'vatom $words names a link to a folder elsewhere: its documents are missing, not gone',
  async ({ words }) => {
    const { home, file, run } = await catalog()
    file('shared/looks.yaml', face())
    file('c/vatom.yaml', 'ignore: [old]')
    for (const name of ['looks', 'old', '.cache', 'node_modules']) symlinkSync('../shared', join(home, 'c', name))
    const { code, out, err } = await run(words)
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toContain('c/looks: is a link to a folder, which is not followed')
    expect(err).not.toMatch(/c\/(old|\.cache|node_modules)/)
  },
)

test.each([
  ['braces that are never closed', '{'.repeat(44)],
  ['braces that are closed', '{'.repeat(44) + '}'.repeat(44)],
  ['keys without values', `${'{? '.repeat(44)}a${'}'.repeat(44)}`],
  ['lists as keys', `${'? - '.repeat(44)}a`],
])('%s, one in another, are found fault with at once', async (_, nested) => {
  const { file, run } = await catalog()
  file('c/nested.yaml', `template: $publisher::T::v1\nx: ${nested}\n`)
  const { code, err } = await run(['validate', 'c'])
  expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('c/nested.yaml') })
})

test('a comment that switches off very many rules is found fault with for some', async () => {
  const { file, json } = await catalog()
  file('c/coupon.yaml', `# vatom-ignore ${'a,'.repeat(100_000)}a\n${template()}`)
  const { results } = (await json('validate', 'c')) as { results: { problems: { rule: string }[] }[] }
  expect(results[0]?.problems.filter(({ rule }) => rule === 'ignore')).toHaveLength(100)
})

test('a pattern of ignore has at most 1,024 characters', async () => {
  const { file, run } = await catalog()
  for (const [length, code] of [
    [1024, 0],
    [1025, 3],
    [30_000, 3],
  ] as const) {
    file('c/vatom.yaml', `ignore: ['${'x'.repeat(length)}']\n`)
    expect([length, (await run(['validate', 'c'])).code]).toEqual([length, code])
  }
})

test('there are at most 1,000 patterns of ignore, with 32,768 characters together', async () => {
  const { file, run } = await catalog()
  for (const [patterns, length, code] of [
    [1000, 32, 0],
    [1001, 2, 3],
    [32, 1024, 0],
    [33, 1000, 3],
  ] as const) {
    file('c/vatom.yaml', `ignore: [${`'${'*a'.repeat(length / 2)}',`.repeat(patterns)}]\n`)
    expect([patterns, length, (await run(['validate', 'c'])).code]).toEqual([patterns, length, code])
  }
  expect((await run(['validate', 'c'])).err).toContain('must have at most 32,768 characters in all patterns together')
})

test.each(formats)('--format %s shows nothing of a file outside, to which a link leads', async (format) => {
  const { home, run } = await catalog()
  const elsewhere = newFolder()
  const secret = 'npm_TOKENabc123 //registry:_authToken=hidden'
  for (const [name, text] of [
    ['line', secret],
    ['map', `token: ${secret}`],
  ] as const) {
    writeFileSync(join(elsewhere, name), text)
    symlinkSync(join(elsewhere, name), join(home, 'c', `${name}.yaml`))
  }
  writeFileSync(join(elsewhere, 'shared.yaml'), template().replace('Coupon', 'Shared'))
  symlinkSync(join(elsewhere, 'shared.yaml'), join(home, 'c/shared.yaml'))
  for (const inputs of [['c'], ['c/*.yaml'], ['c/line.yaml', 'c/map.yaml', 'c/shared.yaml']]) {
    const { code, out, err } = await run(['validate', ...inputs, '--format', format])
    expect(code).toBe(3)
    expect(out + err).toMatch(/line\.yaml/)
    expect(out + err).not.toMatch(/TOKEN|_authToken/)
  }
  for (const name of ['line', 'map']) {
    rmSync(join(home, 'c/vatom.yaml'), { force: true })
    symlinkSync(join(elsewhere, name), join(home, 'c/vatom.yaml'))
    const { code, out, err } = await run(['validate', 'c', '--format', format])
    expect({ code, text: out + err }).toEqual({ code: 3, text: expect.stringContaining('vatom.yaml') })
    expect(out + err).not.toMatch(/TOKEN|_authToken/)
  }
  expect(await run(['validate', 'c/shared.yaml'])).toMatchObject({ code: 0 })
})

test.each(formats)(
  '--format %s shows no line of a file of the working directory, to which a link leads out of the folder',
  async (format) => {
    const { home, run, file } = await catalog()
    const secrets = {
      '.env': 'PASSWORD=secret1',
      '.npmrc': '//registry.example/:_authToken=secret2',
      'docker.json': '{"auths":{"x":{"auth":"secret3"}}}',
      'half.json': '{"key": "secret4"',
      'config.yaml': 'token: secret5',
      'open.yaml': '# notes\npassword: "secret7\nnext: 1\n',
      'apart.yaml': 'a: 1\npassword: secret8\n  b: secret9: x\n',
    }
    for (const [name, text] of Object.entries(secrets)) {
      file(name, text)
      for (const link of ['a.yaml', 'b.faces.yaml', 'c.json'])
        symlinkSync(`../${name}`, join(home, 'c', `${name}-${link}`))
    }
    file(
      'shared/faulty.yaml',
      template('$publisher::Faulty::v1').replace('category:', 'categroy: # secret6\n    other:'),
    )
    symlinkSync('../shared/faulty.yaml', join(home, 'c/faulty.yaml'))
    for (const words of [['c'], ['--within', 'c', 'c/faulty.yaml', 'c/.env-a.yaml']])
      for (const build of [undefined, 'one', 'one']) {
        const { code, out, err } = await run(['validate', ...words, '--format', format], build ? { build } : {})
        expect(code).toBe(3)
        expect(out + err).not.toMatch(/secret\d/)
        expect(err).toContain('unknown field categroy')
        expect(err).toMatch(/--> c\/faulty\.yaml:\d+:\d+$/m)
        expect(err).toMatch(/--> c\/\.env-a\.yaml$/m)
      }
    rmSync(join(home, 'c/vatom.yaml'), { force: true })
    symlinkSync('../.env', join(home, 'c/vatom.yaml'))
    const { out, err } = await run(['validate', 'c', '--format', format])
    expect(err).toMatch(/is a link to a file elsewhere.*\n --> c\/vatom\.yaml$/m)
    expect(out + err).not.toMatch(/secret\d/)
  },
)

test('files that several catalogs of a working directory share by links are validated and applied', async () => {
  const { home, run, file, json } = await catalog()
  file('shared/shared.yaml', template('$publisher::Shared::v1'))
  file('shared/docker-compose.yaml', 'services: {}\n')
  for (const name of ['shared.yaml', 'docker-compose.yaml']) symlinkSync(`../shared/${name}`, join(home, 'c', name))
  expect(await run(['validate', 'c'])).toMatchObject({ code: 0 })
  expect(await run(['apply', 'c', '--yes'])).toMatchObject({ code: 0 })
  expect(await json('template', 'list')).toContainEqual(expect.objectContaining({ name: 'local.vatom::Shared::v1' }))
})

test.each([
  ['a folder', mkdirSync, 'is a folder'],
  ['a named pipe', (path: string) => execFileSync('mkfifo', [path]), 'is no regular file'],
  ['a link that leads nowhere', (path: string) => symlinkSync('/nowhere/at/all', path), 'links to no file'],
  ['a link to itself', (path: string) => symlinkSync(path, path), 'links to no file'],
] as const)('a vatom.yaml that is %s is an error that names it', async (_, make, message) => {
  for (const words of [
    ['validate', 'c'],
    ['plan', 'c'],
    ['apply', 'c', '--yes'],
    ['pull', 'c', '--dry-run'],
  ]) {
    const { home, run } = await catalog()
    rmSync(join(home, 'c/vatom.yaml'), { force: true })
    make(join(home, 'c/vatom.yaml'))
    const { code, out, err } = await run(words)
    const text = expect.stringContaining(`c/vatom.yaml: ${message}`)
    expect({ words, code, text: out + err }).toEqual({ words, code: 3, text })
  }
})

test('apply --prune deletes nothing that is described behind a link to a folder', async () => {
  const { home, file, run } = await catalog()
  file('c/looks/looks.yaml', face())
  expect(await run(['apply', 'c', '--yes'])).toMatchObject({ code: 0 })
  renameSync(join(home, 'c/looks'), join(home, 'looks'))
  symlinkSync('../looks', join(home, 'c/looks'))
  expect(await run(['apply', 'c', '--prune', '--yes'])).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining(
      'put the folder itself in its place, or list looks under ignore in vatom.yaml and apply looks as a catalog of its own',
    ),
  })
})

test('names of files with line breaks and escapes are shown escaped, in every format', async () => {
  const { home, run } = await catalog()
  const name = `${hostile.replaceAll('\u0000', '').slice(0, 60)}\n::error::x`
  writeFileSync(join(home, 'c', `${name}.yaml`), template('$publisher::Bad::v1').replace('title:', `tit\u202ele:`))
  for (const format of formats) {
    const { code, out, err } = await run(['validate', 'c', '--format', format])
    expect({ format, code, unsafe: [...unsafeIn(out), ...unsafeIn(err)] }).toEqual({ format, code: 3, unsafe: [] })
    expect(out + err).not.toMatch(/^::error::x/m)
  }
})

test('folders a thousand deep, and ones that cannot be read, neither hang nor end with a stack trace', async () => {
  const { home, run } = await catalog()
  mkdirSync(join(home, 'c', ...Array.from({ length: 1_000 }, () => 'd')), { recursive: true })
  mkdirSync(join(home, 'c', 'closed'))
  chmodSync(join(home, 'c', 'closed'), 0)
  onTestFinished(() => chmodSync(join(home, 'c', 'closed'), 0o700))
  const { err } = await run(['validate', 'c'])
  expect(err).not.toMatch(/\n\s+at |Maximum call stack/)
})

test.each(['c/looks.yaml', 'c/looks.json'])('%s as a pointer of Git LFS is named as one', async (name) => {
  const { run, file } = await catalog()
  file(name, 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 1234\n')
  for (const path of ['c', name]) {
    const { code, err } = await run(['validate', path])
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringMatching(/pointer of Git LFS(.*\n)+.*hint: .*git lfs pull/),
    })
    expect(err).not.toContain('"key: value"')
  }
})

test.each([
  ['a pointer of Git LFS', 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 1234\n'],
  ['the target of a link', '../../shared/looks.yaml'],
  ['a word behind very many empty lines', `${'\n'.repeat(300_000)}looks`],
  ['a word behind very many returns', `${'\r'.repeat(300_000)}looks`],
])('%s in the place of a document is an error: its documents are missing, not gone', async (_, text) => {
  const { run, file } = await catalog()
  file('c/looks.yaml', text)
  for (const words of [
    ['validate', 'c'],
    ['plan', 'c', '--prune'],
  ]) {
    const { code, out, err } = await run(words)
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('c/looks.yaml') })
    expect(out).not.toContain('- ')
  }
})
