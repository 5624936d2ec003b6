import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pagerCommand } from '../../../src/cli/io/pager.ts'
import { coupon, face, template, variation } from '../../fixtures/yaml.ts'
import { type Desk, publisher, type RunOptions } from '../../support/vatom.ts'

const screen = { tty: true, columns: 80, rows: 3 }
/** A pager that marks what it shows. */
const marking = { ...screen, env: { VATOM_PAGER: 'sed s/^/paged:/', NO_COLOR: '1' } }

/** A desk where every list is longer than a screen of three lines. */
async function stocked(): Promise<Desk> {
  const desk = await publisher()
  const each = (make: (index: number) => string) => Array.from({ length: 4 }, (_, index) => make(index)).join('---\n')
  const create = async (stdin: string, ...args: string[]) =>
    expect(await desk.run([...args, '-'], { stdin })).toMatchObject({ code: 0 })
  await create(template(), 'template', 'create')
  await create(
    each((index) => template(`$publisher::T${index}::v1`)),
    'template',
    'create',
  )
  await create(
    each((index) => variation(`$publisher::Coupon::v1::V${index}`)),
    'variation',
    'create',
  )
  await create(
    ['icon', 'engaged', 'fullscreen', 'card'].map((mode) => face(undefined, mode)).join('---\n'),
    'face',
    'register',
  )
  return desk
}

const lists = [
  ['template', 'list'],
  ['template', 'list', '--fields', 'name'],
  ['variation', 'list'],
  ['face', 'list', coupon],
  ['template', 'get', coupon],
  ['template', 'get', coupon, '--yaml'],
  ['variation', 'render', '$publisher::Coupon::v1::V0'],
  ['api', 'GET', 'v1/templates/$publisher::Coupon::v1', '--include'],
  ['template', '--help'],
  ['template', 'list', '--help'],
  ['help'],
  ['explain'],
  ['explain', 'template'],
  ['explain', '--rules'],
  ['environment'],
  ['help', 'environment'],
  ['formatting', '--help'],
] as const

const sameRequest = (text: string) => text.replace(/"request_id": ".*"|(?<=x-request-id: ).*/g, '')

test('a result longer than the screen goes through the pager, whole and nothing besides', async () => {
  const { run } = await stocked()
  for (const args of lists) {
    const { code, out, err } = await run(args, marking)
    const plain = await run([...args, '--no-pager'], marking)
    expect({ code, err, name: args.join(' ') }).toEqual({ code: 0, err: plain.err, name: args.join(' ') })
    expect(plain.out.split('\n').length).toBeGreaterThan(4)
    expect(sameRequest(out)).toBe(sameRequest(plain.out.replaceAll(/^(?=.|\n)/gm, 'paged:')))
  }
})

test('of commands that list nothing is paged that no person reads on a terminal, or that fits it', async () => {
  const { run } = await stocked()
  const args = ['template', 'list']
  const unpaged: readonly RunOptions[] = [
    { ...marking, tty: false },
    { ...marking, rows: 7 },
    { tty: true, env: marking.env },
    { ...marking, env: { ...marking.env, VATOM_PAGER: '' } },
    { ...marking, env: { ...marking.env, TERM: 'dumb' } },
    { ...screen, env: { NO_COLOR: '1', PAGER: 'cat' } },
  ]
  for (const options of unpaged) {
    const { code, out } = await run(args, options)
    expect({ code, lines: out.split('\n').length }).toEqual({ code: 0, lines: options.tty ? 7 : 6 })
    expect(out).not.toContain('paged:')
  }
  expect(JSON.parse((await run([...args, '--json'], marking)).out)).toHaveLength(5)
  expect((await run([...args], { ...marking, rows: 6 })).out).toContain('paged:')
})

test('what a command has done is not paged', async () => {
  const { run, file } = await stocked()
  file('many.yaml', ['A', 'B', 'C', 'D'].map((letter) => template(`$publisher::${letter}::v1`)).join('---\n'))
  for (const args of [
    ['template', 'create', 'many.yaml'],
    ['validate', 'many.yaml'],
    ['schema', 'template'],
  ]) {
    const { code, out } = await run(args, marking)
    expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining('paged:') })
  }
})

test('a pager that cannot be started leaves the list printed, without a word', async () => {
  const { run } = await stocked()
  const missing = { ...screen, env: { VATOM_PAGER: 'no-such-pager -x', NO_COLOR: '1' } }
  expect(await run(['template', 'list'], missing)).toEqual(await run(['template', 'list', '--no-pager'], missing))
})

test('one that is left before it has read all is no failure, whatever it answers', async () => {
  const { run } = await publisher()
  for (const VATOM_PAGER of ['head -n 1', 'true', 'false'])
    expect(await run(['explain', '--rules'], { ...screen, env: { VATOM_PAGER, NO_COLOR: '1' } })).toEqual({
      code: 0,
      out: VATOM_PAGER.startsWith('head') ? 'Errors\n' : '',
      err: '',
    })
})

test('the pager gets colours, and options for less where none are set', async () => {
  const { run, home } = await publisher()
  const shown = async (env: Record<string, string>) => {
    await run(['explain', '--rules'], {
      ...screen,
      env: { VATOM_PAGER: `sh -c 'cat > out; echo $LESS $LESSCHARSET > less'`, ...env },
    })
    expect(existsSync(join(home, 'out'))).toBe(true)
    return { out: readFileSync(join(home, 'out'), 'utf8'), less: readFileSync(join(home, 'less'), 'utf8') }
  }
  expect(await shown({})).toEqual({ out: expect.stringContaining('\u001b[1mErrors'), less: 'FRX utf-8\n' })
  expect(await shown({ LESS: '-S', LESSCHARSET: 'latin1', NO_COLOR: '1' })).toEqual({
    out: expect.stringMatching(/^Errors\n/),
    less: '-S latin1\n',
  })
})

describe('the pager is', () => {
  test.each<[object, readonly string[] | undefined]>([
    [{}, ['less', '-FRX']],
    [{ PAGER: 'more' }, ['more']],
    [{ PAGER: 'more', VATOM_PAGER: 'less -S' }, ['less', '-S']],
    [{ PAGER: 'more', VATOM_PAGER: '' }, undefined],
    [{ PAGER: ' ' }, undefined],
    [{ PAGER: 'cat' }, undefined],
    [{ PAGER: 'cat -n' }, ['cat', '-n']],
    [{ PAGER: `"/a b/less" -P 'x y' ""` }, ['/a b/less', '-P', 'x y', '']],
    [{ TERM: 'dumb', VATOM_PAGER: 'less' }, undefined],
  ])('for %j %j', (env, words) => {
    expect(pagerCommand({ wanted: true, env: { ...env } })).toEqual(words)
    expect(pagerCommand({ wanted: false, env: { ...env } })).toBeUndefined()
    expect(pagerCommand({ wanted: true, env: { ...env, CI: 'true' } })).toBeUndefined()
  })
})
