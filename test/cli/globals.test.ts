import { describe, expect, onTestFinished, test } from 'vitest'
import { colorLevel } from '../../src/cli/io/paint.ts'
import { openService, type Service } from '../../src/server/service.ts'
import { template } from '../fixtures/yaml.ts'
import { testClock } from '../support/host.ts'
import { deskOf, publisher } from '../support/vatom.ts'

describe('usage', () => {
  test.each([
    [['tempalte'], "unknown command 'tempalte'", 'template'],
    [['template', 'craete'], "unknown command 'craete'", 'create'],
    [['template', 'list', '--jsn'], "unknown option '--jsn'", '--json'],
    [['template', 'create'], "missing required argument 'file'", '--help'],
    [
      ['completion'],
      "missing required argument 'shell'",
      'completion SHELL, where SHELL is one of bash, zsh, fish; for',
    ],
    [['emit', 'x', '--num', '0'], 'from 1 to 10000', ''],
    [['emit', 'x', '--num', 'many'], 'from 1 to 10000', ''],
    [['template', 'list', '--timeout', '-1'], 'number of seconds', ''],
    [['template', 'list', '--timeout', '99999'], 'above 0, and up to 86400, not 99999', ''],
    [['face', 'register'], 'No face given', '--template'],
    [['face', 'register', '--template', 'x'], '--display-url, --view-mode', ''],
    [['face', 'register', 'a.yaml', '--template', 'x'], 'not both', ''],
    [
      ['schema', 'tmplate'],
      'error: kind cannot be tmplate\n',
      'hint: did you mean template? choose one of: template, ',
    ],
    [
      ['template', 'validate', 'x', '--format', 'xml'],
      'error: --format cannot be xml\n',
      'hint: choose one of: text, ',
    ],
    [['discover', '--filter', 'category'], 'not a comparison', 'FIELD SIGN VALUE'],
    [['discover', '--mine', '--scope', 'owner=x'], 'exclude each other', ''],
    [['discover', '--mine', '--scope', 'category=Tea'], 'exclude each other', '--mine --filter category=Tea\n'],
    [['prune'], 'prune', 'vatom plan PATH --prune; to delete it: vatom apply PATH --prune\n'],
    [['discover', '--filter', 'catgory = x'], '--filter: catgory cannot be searched', 'did you mean category?'],
    [['discover', '--scope', 'owner=a,b,c,d,e,f'], 'at most 5', ''],
  ])('%j exits 2: %s', async (args, message, hint) => {
    const { vatom } = await publisher()
    const { code, out, err } = await vatom(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toContain(hint)
    expect(err).not.toMatch(/\n\s+at /)
  })

  test.each(['sarif', 'text'])('--json with --format %s exits 2, and with --format json does not', async (format) => {
    const { vatom, file } = await publisher()
    file('a.yaml', template())
    const { code, out } = await vatom('validate', 'a.yaml', '--json', '--format', format)
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 2,
      error: { message: `--json and --format ${format} cannot be used together` },
    })
    expect(await vatom('validate', 'a.yaml', '--json', '--format', 'json')).toMatchObject({ code: 0 })
  })

  test('under --json a usage error is one JSON document on stdout, too', async () => {
    const { vatom } = await publisher()
    for (const args of [['template', 'craete'], ['template'], ['--timeout', 'x', 'template', 'list']]) {
      const { code, out } = await vatom(...args, '--json')
      expect(code).toBe(2)
      expect(JSON.parse(out)).toMatchObject({ error: { code: 'usage', message: expect.any(String), issues: [] } })
    }
  })

  test('a password given as an option is refused and not repeated', async () => {
    const { vatom } = await publisher()
    const { code, err } = await vatom('login', '--password=hunter2')
    expect(code).toBe(2)
    expect(err).toContain('--password-stdin')
    expect(err).not.toContain('hunter2')
    const broken = await vatom('login', '--password=hunter2\nhunter3')
    expect(broken).toMatchObject({ code: 2, err: expect.stringContaining("unknown option '--password'\nhint: do not") })
    expect(broken.err).not.toContain('hunter')
  })

  test('a line break in a word is escaped in the message, and is no hint', async () => {
    const { vatom } = await publisher()
    expect(await vatom('help', 'a\nb')).toEqual({
      code: 2,
      out: '',
      err: "error: unknown command 'a\\nb'\nhint: to see what there is: vatom --help\n",
    })
    expect((await vatom('tempalte')).err).toBe("error: unknown command 'tempalte'\nhint: did you mean template?\n")
    expect((await vatom('hlep')).err).toBe("error: unknown command 'hlep'\nhint: did you mean help?\n")
  })
})

describe('without anybody to ask', () => {
  test.each([
    ['--no-input on a terminal', { tty: true }, ['--no-input']],
    ['no terminal', { tty: false }, []],
  ] as const)('%s: a missing answer fails at once and names its flag', async (_, options, flags) => {
    const { run, json, file } = await publisher()
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    expect(await run(['template', 'delete', 'local.vatom::Coupon::v1', ...flags], options)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    })
  })
})

describe('help', () => {
  test('of the root names every command, within 80 columns', async () => {
    const { vatom } = await publisher()
    for (const args of [['--help'], ['help']]) {
      const { code, out, err } = await vatom(...args)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      for (const word of ['login', 'template', 'variation', 'face', 'action', 'emit', 'discover', 'serve'])
        expect(out).toContain(`  ${word} `)
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    }
  })

  test.each(['template create', 'login', 'face register', 'discover', 'serve', 'profile set'])(
    'of %s has examples or flags',
    async (words) => {
      const { vatom } = await publisher()
      const { code, out } = await vatom(...words.split(' '), '--help')
      expect(code).toBe(0)
      expect(out).toContain(`Usage: vatom ${words}`)
      expect(out).toContain('vatom help options')
      expect(await vatom('help', ...words.split(' '))).toMatchObject({ code: 0 })
    },
  )

  test('of a word nobody knows is a usage error; help of a verb is the verb’s', async () => {
    const { vatom } = await publisher()
    for (const args of [
      ['tempalte', '--help'],
      ['help', 'tempalte'],
    ])
      expect(await vatom(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('tempalte') })
    expect((await vatom('help', 'template', 'create')).out).toContain('Usage: vatom template create')
  })

  test('of every command fits 80 columns', async () => {
    const { vatom } = await publisher()
    const verbs = {
      template: ['create', 'validate', 'list', 'get', 'update', 'publish', 'delete'],
      variation: ['create', 'validate', 'list', 'get', 'update', 'publish', 'delete'],
      face: ['register', 'validate', 'list', 'update', 'delete'],
      action: ['register', 'validate', 'list', 'get', 'update', 'delete'],
      'action handler': ['register', 'list', 'delete'],
      context: ['list', 'use', 'add', 'remove'],
      profile: ['get', 'set'],
      auth: ['token'],
      user: ['register', 'get', 'reset-password', 'delete'],
      'user token': ['list', 'add', 'verify', 'resend', 'default', 'delete'],
      thread: ['list', 'show', 'send'],
    }
    const nested = Object.entries(verbs).flatMap(([noun, names]) => names.map((verb) => [...noun.split(' '), verb]))
    const single = [
      'login',
      'logout',
      'whoami',
      'emit',
      'discover',
      'serve',
      'explain',
      'schema',
      'api',
      'init',
      'preview',
      'console',
      'doctor',
    ]
    for (const words of [...nested, ...[...single, 'completion'].map((word) => [word])]) {
      const { code, out } = await vatom(...words, '--help')
      expect(code).toBe(0)
      expect(out).toContain(`Usage: vatom ${words.join(' ')} `)
      expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
    }
    for (const [noun, names] of Object.entries(verbs)) {
      const { out } = await vatom(...noun.split(' '), '--help')
      for (const verb of names) expect(out).toMatch(new RegExp(`^  ${verb} `, 'm'))
    }
  })

  test('of every command of a publisher’s noun has an example', async () => {
    const { vatom } = await publisher()
    for (const noun of ['template', 'variation', 'face', 'action', 'action handler']) {
      const { out } = await vatom(...noun.split(' '), '--help')
      const [, commands = ''] = out.split('\nCommands:\n')
      const verbs = [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, verb = '']) => verb)
      expect(verbs.length).toBeGreaterThan(3)
      for (const verb of verbs.filter((one) => !['help', 'handler'].includes(one)))
        expect((await vatom(...noun.split(' '), verb, '--help')).out).toMatch(/\nExamples?:\n {2}vatom /)
    }
  })

  test.each(['explain', 'schema', 'api', 'init', 'preview', 'console', 'doctor', 'completion'])(
    'of %s has an example',
    async (word) => {
      const { vatom } = await publisher()
      expect((await vatom(word, '--help')).out).toMatch(/\nExamples:\n {2}(vatom|eval) /)
    },
  )

  test('--version prints the version alone', async () => {
    const { vatom } = await publisher()
    expect(await vatom('--version')).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' })
  })
})

describe('streams', () => {
  test('--quiet leaves notes out, not results and not failures', async () => {
    const { run } = await publisher()
    expect(await run(['template', 'create', '-', '--quiet'], { stdin: template() })).toMatchObject({
      code: 0,
      out: expect.stringContaining('Created'),
      err: '',
    })
    expect((await run(['template', 'create', '-', '--quiet'], { stdin: template() })).err).toContain('already exists')
  })

  test('a table is aligned under a head on a terminal and tab-separated elsewhere', async () => {
    const { run } = await publisher()
    await run(['template', 'create', '-'], { stdin: template() })
    const onTerminal = await run(['template', 'list', '--no-color'], { tty: true })
    expect(onTerminal.out).toBe('NAME                     STATE  PUBLIC\nlocal.vatom::Coupon::v1  draft\n')
    expect((await run(['template', 'list'])).out).toBe('local.vatom::Coupon::v1\tdraft\t\n')
  })

  test('colour follows the terminal and the environment', async () => {
    const { run, file, json } = await publisher()
    file('coupon.yaml', template())
    await json('template', 'create', 'coupon.yaml')
    const list = async (options: object) => (await run(['template', 'list'], options)).out.includes('\u001b[')
    expect(await list({ tty: true })).toBe(true)
    expect(await list({ tty: false })).toBe(false)
    expect(await list({ tty: true, env: { NO_COLOR: '1' } })).toBe(false)
    expect((await run(['template', 'list', '--no-color'], { tty: true })).out).not.toContain('\u001b[')
  })

  test.each([
    [{ flag: true, env: { NO_COLOR: '1' }, isTTY: false }, 1],
    [{ flag: false, env: { FORCE_COLOR: '1' }, isTTY: true }, 0],
    [{ flag: undefined, env: { NO_COLOR: '1', FORCE_COLOR: '1' }, isTTY: true }, 0],
    [{ flag: undefined, env: { FORCE_COLOR: '1', CLICOLOR: '0' }, isTTY: false }, 1],
    [{ flag: undefined, env: { CLICOLOR_FORCE: '1', TERM: 'dumb' }, isTTY: false }, 1],
    [{ flag: undefined, env: { CLICOLOR: '0' }, isTTY: true }, 0],
    [{ flag: undefined, env: { TERM: 'dumb' }, isTTY: true }, 0],
    [{ flag: undefined, env: {}, isTTY: true }, 1],
    [{ flag: undefined, env: {}, isTTY: false }, 0],
  ] as const)('colour level of %j is %i', (choice, level) => {
    expect(colorLevel(choice)).toBe(level)
  })

  test('control characters of data never reach the output', async () => {
    const { run } = await publisher()
    const evil = template('"$publisher::A\\eB::v1"').replace('title: Coupon', 'title: "\\e[31mred\\u202e\\r\\n"')
    const create = await run(['template', 'create', '-'], { stdin: evil })
    await run(['template', 'create', '-'], {
      stdin: template().replace('title: Coupon', 'title: "\\e[31mred\\u202e"'),
    })
    const name = 'local.vatom::Coupon::v1'
    const publish = await run(['template', 'publish', name, '--confirm', name])
    const get = await run(['template', 'get', name])
    for (const { out, err } of [create, publish, get]) expect(out + err).not.toMatch(unsafe)
    expect(publish.err).toContain('\\u001b[31mred')
  })

  test.each([true, false])('nor that of --json, whose values stay what they are; on a terminal: %s', async (tty) => {
    const { run } = await publisher()
    const title = `"\\${hidden}`
    const stdin = template().replace('title: Coupon', `title: ${JSON.stringify(title)}`)
    await run(['template', 'create', '-'], { stdin })
    const get = await run(['template', 'get', 'local.vatom::Coupon::v1', '--json'], { tty })
    expect(get).toMatchObject({ code: 0, out: expect.stringContaining('\\u202e') })
    expect(get.out).not.toMatch(unsafeInJson)
    expect(JSON.stringify(JSON.parse(get.out))).toContain(JSON.stringify(title))
    const failed = await run(['template', 'get', `local.vatom::${hidden}`, '--json'], { tty })
    expect(failed.out).not.toMatch(unsafeInJson)
    expect(JSON.parse(failed.out)).toMatchObject({ error: { message: expect.any(String) } })
    expect(failed.out).toContain('\\u202e')
  })
})

const hidden = '\u007f\u0085\u009b\u200e\u200f\u202a\u202e\u2066\u2069'
const unsafeInJson = /(?!\n)[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const unsafe = /(?!\n)[\p{Cc}\u202e]/u

describe('Ctrl-C', () => {
  test('before anything is sent exits 130 and sends nothing', async () => {
    const { run, json } = await publisher()
    const interrupted = new AbortController()
    interrupted.abort()
    const options = { stdin: template(), signal: interrupted.signal }
    expect(await run(['template', 'create', '-'], options)).toMatchObject({ code: 130, out: '' })
    expect(await json('template', 'list')).toEqual([])
  })

  test('when all was done says so, and exits 130', async () => {
    const service = await openService({ db: ':memory:', clock: testClock })
    onTestFinished(() => service.close())
    let interrupted = new AbortController()
    const inject: Service['inject'] = async (request) => {
      const answer = await service.inject(request)
      if (['POST', 'DELETE'].includes(request.method)) interrupted.abort()
      return answer
    }
    const { run, json } = deskOf({ ...service, inject })
    const stdin = template()
    for (const words of [
      ['template', 'create', '-'],
      ['template', 'delete', '$publisher::Coupon::v1', '--yes'],
    ]) {
      interrupted = new AbortController()
      const { code, out, err } = await run(words, { stdin, signal: interrupted.signal })
      expect({ code, out, err }).toEqual({
        code: 130,
        out: expect.stringContaining('local.vatom::Coupon::v1'),
        err: expect.stringMatching(/error: interrupted when all had been sent\n$/),
      })
    }
    expect(await json('template', 'list')).toEqual([])
  })

  test('halfway stops, says what was done, and exits 130', async () => {
    const service = await openService({ db: ':memory:', clock: testClock })
    onTestFinished(() => service.close())
    const interrupted = new AbortController()
    const inject: Service['inject'] = async (request) => {
      const answer = await service.inject(request)
      if (request.method === 'POST') interrupted.abort()
      return answer
    }
    const { run, json } = deskOf({ ...service, inject })
    const stdin = ['A', 'B', 'C'].map((letter) => template(`$publisher::${letter}::v1`)).join('---\n')
    const { code, out } = await run(['template', 'create', '-', '--json'], { stdin, signal: interrupted.signal })
    expect(code).toBe(130)
    expect(JSON.parse(out)).toMatchObject({
      results: [{ status: 'created' }, { status: 'not_sent' }, { status: 'not_sent' }],
      summary: { total: 3, ok: 1, failed: 2 },
      error: { code: 'interrupted' },
    })
    expect(await json('template', 'list')).toHaveLength(1)
  })
})
