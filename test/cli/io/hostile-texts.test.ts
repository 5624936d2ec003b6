import { describe, expect, test } from 'vitest'
import { topics } from '../../../src/cli/words.ts'
import { at } from '../../../src/contract/schema/path.ts'
import { coupon, red } from '../../fixtures/yaml.ts'
import { facing, type WatchedDesk } from '../../support/desks.ts'
import { answers, everyLeaf, name, stockOfEverything, takesYes, writes } from '../../support/every-command.ts'
import { type Hostility, hostile, hostileService, mark, unsafeIn } from '../../support/hostile-service.ts'
import { publisher, type Run } from '../../support/vatom.ts'

const stocked = stockOfEverything()

const idIn = async ({ json }: WatchedDesk, list: readonly string[], ...path: (string | number)[]) =>
  String(at(await json(...list), ...path, 'id'))

/** The operands of commands that only read. */
const reads: Readonly<Record<string, (desk: WatchedDesk) => Promise<readonly string[]> | readonly string[]>> = {
  plan: () => ['changed'],
  login: ({ service }) => ['--context', 'other', '--email', service.publisher.email, '--password-stdin'],
  whoami: () => [],
  'auth token': () => [],
  doctor: () => [],
  'profile get': () => [],
  'user get': async (desk) => [await idIn(desk, ['whoami'])],
  'user token list': () => [],
  'user delete': () => ['--confirm', 'publisher@local.vatom'],
  'thread list': () => [],
  'thread show': async (desk) => [await idIn(desk, ['whoami'])],
  'template list': () => [],
  'template get': () => [coupon],
  'variation list': () => [],
  'variation get': () => [red],
  'variation render': () => [red],
  'face list': () => [name],
  'face select': () => ['--template', name, '--platform', 'ios', '--view-mode', 'icon'],
  'face get': async (desk) => [await idIn(desk, ['face', 'list'], 0)],
  'action list': () => [name],
  'action get': () => [`${name}::Action::Drop`],
  'action handler list': () => [],
  'asset list': () => [],
  discover: () => [],
  map: () => ['--around', '47.37,8.54'],
  inventory: () => [],
  show: async (desk) => [await idIn(desk, ['inventory'], 'vatoms', 0)],
  __complete: () => ['templates', ''],
  validate: () => ['changed'],
  'template validate': () => ['changed'],
}

/** Commands that ask the service of the context nothing, or only the local one. */
const apart =
  /^(init|serve|console|reset|snapshot|context|completion|explain|schema|logout|(variation|face|action) validate|preview|plan show)/

const leaves = await everyLeaf()
const commands = leaves.map(({ words }) => words).filter((words) => !topics.some((topic) => topic === words))
const asking = commands.filter((words) => !apart.test(words) && (words in writes || words in reads))

/** What a command prints in a pipe, on a terminal, and as JSON. */
const forms = [
  { form: 'in a pipe', flags: [], tty: false },
  { form: 'on a terminal', flags: ['--color', '--no-input'], tty: true },
  { form: 'as JSON', flags: ['--json'], tty: false },
] as const

function expectHarmless({ out, err }: Run, isJson: boolean): void {
  expect({ out: unsafeIn(out), err: unsafeIn(err), text: unsafeIn(out + err).length > 0 ? out + err : '' }).toEqual({
    out: [],
    err: [],
    text: '',
  })
  if (isJson && out !== '') expect(() => JSON.parse(out)).not.toThrow()
}

const stdin = 'a-new-password\n'

/** The words of a command with all that it needs to do its work. */
async function wordsOf(command: string, desk: WatchedDesk): Promise<readonly string[]> {
  const given = writes[command]?.words ?? reads[command] ?? []
  const sure = [...(answers[command] ?? []), ...(takesYes.test(command) ? ['--yes'] : [])]
  return [...command.split(' '), ...(typeof given === 'function' ? await given(desk) : given), ...sure]
}

test('every command is tried, but for those that ask no service', () => {
  expect(commands.filter((words) => !asking.includes(words) && !apart.test(words))).toEqual([])
})

describe.each(['texts', 'everything', 'errors'] as const satisfies readonly Hostility[])('hostile %s', (hostility) => {
  const printed = new Map<string, string>()

  test.each(asking)('vatom %s', async (command) => {
    const desk = await stocked('local')
    const words = await wordsOf(command, desk)
    const env = await hostileService(desk, hostility)
    // Elsewhere than on a terminal, `api` prints the body byte for byte.
    for (const { form, flags, tty } of command === 'api' ? forms.filter((one) => one.tty) : forms) {
      const run = await desk.run([...words, ...flags], { env, stdin, tty })
      printed.set(`${command} ${form}`, run.out + run.err)
      expectHarmless(run, form === 'as JSON')
    }
  })

  test('most commands show what the service says', () => {
    const showing = [...printed.values()].filter((text) => text.includes(mark))
    expect(showing.length).toBeGreaterThan(printed.size / 2)
  })
})

test('vatom api --include shows hostile headers escaped, and the body byte for byte in a pipe', async () => {
  const body = `{"a":"${hostile.replaceAll(/\p{Cc}|\p{Cs}/gu, '')}"}`
  const { run, env } = await facing((_, response) => response.setHeader('x-else', '\u009b2J\u0085').end(body))
  const { out } = await run(['api', 'GET', 'v1/user', '--include'], { env })
  const [head = '', rest] = out.split('\n\n')
  expect({ rest, unsafe: unsafeIn(head) }).toEqual({ rest: body, unsafe: [] })
  expect(head).toMatch(/^x-else: .?\\u009b2J.?\\u0085$/m)
})

describe('hostile arguments', () => {
  test.each(commands.filter((words) => words !== 'serve'))('vatom %s', async (command) => {
    const { run } = await publisher()
    for (const { form, flags, tty } of forms)
      for (const words of [[hostile], ['--format', hostile], [`--${hostile}`], ['x', 'y', 'z', hostile]]) {
        const result = await run([...command.split(' '), ...words, ...flags], { tty })
        expectHarmless(result, form === 'as JSON')
      }
  })
})
