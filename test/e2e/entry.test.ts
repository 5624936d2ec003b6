import { spawn } from 'node:child_process'
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ended, newMachine, root } from '../support/binary.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test.each(['--version', '-V'])('%s prints the version of package.json and writes nothing to disk', async (flag) => {
  const { vatom, home } = newMachine()
  expect(await vatom([flag])).toEqual({ code: 0, signal: null, out: `${version}\n`, err: '' })
  expect(readdirSync(home)).toEqual([])
})

test.skipIf(!existsSync('/dev/full'))('--version says in a line that it cannot be printed', async () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const { code, err } = await ended(
    spawn(process.execPath, [join(root, 'bin/vatom.js'), '--version'], { stdio: ['ignore', full, 'pipe'] }),
  )
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^the version can't be printed: .*\n$/) })
})

test('--version after a global option prints the same', async () => {
  expect(await newMachine().vatom(['--quiet', '--version'])).toMatchObject({ code: 0, out: `${version}\n` })
})

test.each([
  ['--json', '--version'],
  ['--version', '--json'],
  ['version', '--json'],
])('%s %s prints one JSON document', async (...args) => {
  const { code, out } = await newMachine().vatom(args)
  expect({ code, ...JSON.parse(out) }).toEqual({ code: 0, version })
})

test.each([[['--help']], [['help']]])('%j prints the root help on stdout', async (args) => {
  const { code, out, err } = await newMachine().vatom(args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^Usage: vatom /)
  for (const word of ['login', 'template', 'variation', 'face', 'emit', 'discover', 'serve'])
    expect(out).toContain(word)
})

test.each([
  [['template', '--help'], 'vatom template'],
  [['help', 'template'], 'vatom template'],
  [['--timeout', '5', 'template', '--help'], 'vatom template'],
  [['--timeout=5', 'face', 'register', '--help'], 'vatom face register'],
  [['context', 'add', '--help'], 'vatom context add'],
])('%j loads the bundle that answers it', async (args, usage) => {
  const { code, out, err } = await newMachine().vatom(args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(`Usage: ${usage}`)
})

test('an unknown command is a usage error that names the nearest', async () => {
  const { code, out, err } = await newMachine().vatom(['tempalte'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/template/)
  expect(err).not.toMatch(/^\s+at /m)
})

test.each(['constructor', '__proto__', 'toString'])('the word %s is as unknown as any other', async (word) => {
  expect(await newMachine().vatom([word])).toMatchObject({ code: 2, out: '' })
})

const notBuilt = 'vatom is not built, or it is damaged: run npm run build, or install it again\n'

test('a package that is not built says how to build it', async () => {
  const { home } = newMachine()
  cpSync(join(root, 'bin'), join(home, 'bin'), { recursive: true })
  const run = await ended(spawn(process.execPath, [join(home, 'bin/vatom.js'), 'template']))
  expect(run).toMatchObject({ code: 1, out: '', err: notBuilt })
})

test.each([
  ['is not there', undefined],
  ['does not load', 'nonsense('],
  ['has no run', '(load) => [(module) => {}]'],
])('what an older version built, whose pack %s, says in one line to build again', async (_what, pack) => {
  const { home } = newMachine()
  cpSync(join(root, 'bin'), join(home, 'bin'), { recursive: true })
  mkdirSync(join(home, 'dist'))
  writeFileSync(join(home, 'dist/manifest.json'), '{"packs": ["a.js"], "packOf": [0], "words": [], "entry": 0}')
  if (pack !== undefined) writeFileSync(join(home, 'dist/a.js'), pack)
  const run = await ended(spawn(process.execPath, [join(home, 'bin/vatom.js'), 'template']))
  expect(run).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^dist was built from another version of vatom, .*: run npm run build, or .*\n$/),
  })
})

test.each(['', '{', 'null', '7', '{}'])('a package with the manifest %j says so', async (manifest) => {
  const { home } = newMachine()
  cpSync(join(root, 'bin'), join(home, 'bin'), { recursive: true })
  mkdirSync(join(home, 'dist'))
  writeFileSync(join(home, 'dist/manifest.json'), manifest)
  const run = await ended(spawn(process.execPath, [join(home, 'bin/vatom.js'), 'template']))
  expect(run).toMatchObject({ code: 1, out: '', err: notBuilt })
})

test.skipIf(process.platform === 'win32')(
  'in a folder that was deleted it goes on, and finds no file there',
  async () => {
    const { home } = newMachine()
    const inGone = (words: string) => {
      const command = `mkdir gone; cd gone; rmdir ../gone; "$NODE" "$ENTRY" ${words}`
      const env = { PATH: process.env.PATH, HOME: home, NODE: process.execPath, ENTRY: join(root, 'bin/vatom.js') }
      return ended(spawn('sh', ['-c', command], { cwd: home, env }))
    }
    expect(await inGone('context list --json')).toMatchObject({ code: 0, err: '' })
    const { code, err } = await inGone('validate a.yaml')
    expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(/^error: a\.yaml: no such file or folder$/m) })
    expect(await inGone('validate')).toMatchObject({
      code: 2,
      err: 'error: The current folder was deleted\nhint: run it in a folder that exists\n',
    })
  },
)
