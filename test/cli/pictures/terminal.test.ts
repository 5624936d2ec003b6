import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Host } from '../../../src/cli/host.ts'
import { rowsFor } from '../../../src/cli/pictures/picture-text.ts'
import { pictureTerminal } from '../../../src/cli/pictures/terminal.ts'
import { hostWith } from '../../support/host.ts'
import { Capture } from '../../support/streams.ts'

const asked = '\u001b[c'
const sixel = '\u001b[6;18;9t\u001b[?62;4c'
const kitty = '\u001b_Gi=31;OK\u001b\\'

/** What is found out about a terminal that answers the questions; in which modes it was, and what it was asked. */
async function found(answer: string, env: Host['env'] = {}, isInBackground = false) {
  const modes: boolean[] = []
  const keyboard = new PassThrough()
  const stdin = Object.assign(keyboard, { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) })
  const stdout = new Capture(true)
  stdout.heard = (text) => text.endsWith(asked) && answer !== '' && setImmediate(() => keyboard.write(answer))
  const terminal = await pictureTerminal(
    hostWith({ stdin, stdout, env: { TERM: 'xterm-256color', ...env }, isInBackground: () => isInBackground }),
  )
  return { terminal, modes, asked: stdout.text }
}

test('a terminal says what it takes, and how large a character is', async () => {
  expect((await found(kitty + sixel)).terminal).toEqual({ protocol: 'kitty', cell: { width: 9, height: 18 } })
  expect((await found(sixel)).terminal).toEqual({ protocol: 'sixel', cell: { width: 9, height: 18 } })
  expect((await found(`\u001bP>|WezTerm 20240203\u001b\\${sixel}`)).terminal?.protocol).toBe('iterm2')
  expect((await found(sixel, { LC_TERMINAL: 'iTerm2' })).terminal?.protocol).toBe('iterm2')
  expect((await found('\u001b[?62;4c')).terminal?.cell).toEqual({ width: 10, height: 20 })
  expect((await found('\u001b[?64;22c')).terminal).toBeUndefined()
  expect((await found('\u001b[?1;44c')).terminal).toBeUndefined()
})

test('one that does not answer is waited for shortly, and is left as it was', async () => {
  const begun = performance.now()
  const { terminal, modes } = await found('')
  expect(terminal).toBeUndefined()
  expect(performance.now() - begun).toBeLessThan(2_000)
  expect(modes).toEqual([true, false])
})

test.each(['end', 'close', 'error'])('one that is gone (%s) is not waited for', async (event) => {
  const modes: boolean[] = []
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw) })
  const stdout = new Capture(true)
  stdout.heard = () => setImmediate(() => stdin.emit(event, new Error('EIO')))
  const wait = 60_000
  expect(await pictureTerminal(hostWith({ stdin, stdout, env: { TERM: 'xterm' } }), wait)).toBeUndefined()
  expect(modes).toEqual([true, false])
})

test('a job in the background leaves the terminal as it is: it would be stopped', async () => {
  expect(await found(kitty + sixel, {}, true)).toEqual({ terminal: undefined, modes: [], asked: '' })
})

test.each([
  [{}, 16],
  [{ rows: 0 }, 16],
  [{ rows: 50 }, 16],
  [{ rows: 12 }, 10],
  [{ rows: 2 }, 1],
])('of a terminal of %o a picture takes %i rows at most', (terminal, rows) => {
  expect(rowsFor(16, terminal)).toBe(rows)
})

test('within tmux the terminal around it is not asked', async () => {
  const { terminal, asked: questions } = await found(sixel, {
    TMUX: '/tmp/tmux-0/default,1,0',
    TERM_PROGRAM: 'iTerm.app',
  })
  expect(terminal?.protocol).toBe('sixel')
  expect(questions).not.toContain('\u001b_G')
})

test.each([
  [{ TERM: 'dumb' }],
  [{ TERM: 'linux' }],
  [{ TERM: '' }],
  [{ TERM_PROGRAM: 'Apple_Terminal' }],
  [{ TERMINAL_EMULATOR: 'JetBrains-JediTerm' }],
  [{ INSIDE_EMACS: '29.1' }],
  [{ CI: 'true' }],
  [{ VATOM_PICTURES: 'none' }],
])('nothing is written to a terminal of %o', async (env) => {
  expect(await found(kitty + sixel, env)).toEqual({ terminal: undefined, modes: [], asked: '' })
})

test('VATOM_PICTURES decides without a question, but not for what is no terminal', async () => {
  const env = { VATOM_PICTURES: 'sixel', TERM: 'dumb' }
  expect(await found('', env)).toMatchObject({ terminal: { protocol: 'sixel' }, asked: '' })
  expect(await pictureTerminal(hostWith({ env }))).toBeUndefined()
})
