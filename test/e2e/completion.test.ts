import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ended, entry, newMachine } from '../support/binary.ts'
import { writeFiles } from '../support/folders.ts'
import { residentBinary } from '../support/resident.ts'
import { hasShell, type Shell, typedIn } from '../support/shells.ts'
import { hasTerminal } from '../support/terminal.ts'

/** A word as bash breaks it: at `:` and `=` too, unless it is quoted. */
const broken = (line: string): string[] => {
  const parts = [...line.matchAll(/'[^']*'?|"[^"]*"?|[:=]+|[^\s:='"]+/g)].map(([part]) => part)
  return /\s$/.test(line) ? [...parts, ''] : parts
}

/** A machine with `vatom` among its programs, a template, and files; all tests type on this one. */
const home = mkdtempSync(join(tmpdir(), 'vatom-test-'))
const { vatom } = newMachine(entry, home)
const resident = residentBinary()
beforeAll(async () => {
  mkdirSync(join(home, 'bin'))
  mkdirSync(join(home, 'catalog'))
  writeFileSync(join(home, 'catalog/mugs.yaml'), '')
  writeFileSync(join(home, 'danger;touch owned.yaml'), '')
  writeFileSync(
    join(home, 'coffee.yaml'),
    'template: $publisher::Coffee::v1\nvatom: {vAtom::vAtomType: {root_type: vAtom::vAtomType}}\n',
  )
  writeFileSync(join(home, 'bin/vatom'), resident.program(), { mode: 0o755 })
  writeFileSync(
    join(home, 'evil.yaml'),
    'template: "local.vatom::Evil$(touch owned)`touch owned`"\nvatom: {vAtom::vAtomType: {root_type: vAtom::vAtomType}}\n',
  )
  const stamp = 'name: $publisher::Coffee::v1::Action::Stamp\nreactor: blockv://v1/Drop\n'
  writeFileSync(join(home, 'stamp.yaml'), stamp)
  const coffee = readFileSync(join(home, 'coffee.yaml'), 'utf8')
  writeFileSync(join(home, 'mocha.yaml'), coffee.replace('Coffee', 'Mocha'))
  await vatom(['template', 'create', 'coffee.yaml', 'evil.yaml', 'mocha.yaml'])
  await vatom(['action', 'register', 'stamp.yaml'])
  await vatom(['snapshot', 'save', 'before-launch'])
  return () => rmSync(home, { recursive: true, force: true })
}, 60_000)

/** What bash offers at the end of each line, in one session. */
async function offeredInBash(lines: readonly string[]): Promise<string[][]> {
  writeFileSync(join(home, 'vatom.bash'), (await vatom(['completion', 'bash'])).out)
  const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home }
  const script = `source vatom.bash
COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
offer() {
  COMP_LINE=$1 COMP_POINT=\${#1}; shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _vatom
  printf '%s\\n' "\${COMPREPLY[@]}" -
}`
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
  const calls = lines.map((line) => ['offer', ...[line, ...broken(line)].map(quoted)].join(' '))
  const run = await ended(spawn('bash', ['-c', [script, ...calls].join('\n')], { cwd: home, env }))
  expect(run).toMatchObject({ code: 0, err: '' })
  return run.out.split(/^-\n/m).map((offered) => offered.split('\n').filter(Boolean))
}

/** What is offered behind a line. */
const offers: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['vatom temp', ['template']],
  ['vatom template cr', ['create']],
  ['vatom --json template cr', ['create']],
  ['vatom --context local template cr', ['create']],
  ['vatom --context=local template cr', ['create']],
  ['vatom help template cr', ['create']],
  ['vatom action handler ', ['register', 'list', 'delete', 'help']],
  ['vatom template create --form', ['--format']],
  ['vatom template create --format ', ['text', 'json', 'github', 'gitlab', 'sarif', 'markdown']],
  ['vatom template create --format=', ['text', 'json', 'github', 'gitlab', 'sarif', 'markdown']],
  ['vatom template create --format=gith', ['github']],
  ['vatom template create coffee.yaml --format s', ['sarif']],
  ['vatom face register --view-mode f', ['fullscreen']],
  ['vatom schema ', ['template', 'variation', 'face', 'action', 'discover', 'profile', 'api']],
  ['vatom completion z', ['zsh']],
  ['vatom api P', []],
  ['vatom template create cof', ['coffee.yaml']],
  ['vatom template create coffee.yaml cat', ['catalog']],
  ['vatom discover -f cof', ['coffee.yaml']],
  ['vatom face select cof', ['coffee.yaml']],
  ['vatom face select local.vatom::Co', ['Coffee::v1']],
  ['vatom face update cof', ['coffee.yaml']],
  ['vatom variation render coffee.yaml --template cof', ['coffee.yaml']],
  ['vatom template list --tim', ['--timeout']],
  ['vatom context use lo', ['local']],
  ['vatom --context lo', ['local']],
  ['vatom emit --num ', []],
  ['vatom nonsense ', []],
  ['vatom template get local.vatom::C', ['Coffee::v1']],
  ['vatom template get local.vatom::Coffee::', ['v1']],
  ['vatom --context local template get local.vatom::Co', ['Coffee::v1']],
  ['vatom --context elsewhere template get local.vatom::Co', []],
  ['vatom variation list --template local.vatom::Co', ['Coffee::v1']],
  ['vatom variation list --template=local.vatom::Co', ['Coffee::v1']],
  ["vatom template get '$publisher::Co", ['$publisher::Coffee::v1']],
  ['vatom template get \\$publisher::C', ['Coffee::v1']],
  ['vatom template delete local.vatom::Coffee::v1 local.vatom::C', ['Coffee::v1']],
  ['vatom template get "local.vatom::C', ['local.vatom::Coffee::v1']],
  ['vatom template get "$publisher::C', ['\\$publisher::Coffee::v1']],
  ['vatom template get "local.vatom::E', ['local.vatom::Evil\\$(touch owned)\\`touch owned\\`']],
  ["vatom template get 'local.vatom::E", ['local.vatom::Evil$(touch owned)`touch owned`']],
  ['vatom snapshot load bef', ['before-launch']],
  ['vatom snapshot save bef', []],
  ['vatom act St', ['Stamp']],
  ['vatom act Tran', ['Transfer']],
  ['vatom explain template.visi', ['template.visibility', 'template.visibility.type', 'template.visibility.value']],
  ['vatom explain icon-f', ['icon-face']],
  ['vatom template get local.vatom::Coffee::v1 ', []],
  ['vatom template get Cof', ['Coffee::v1']],
  ['vatom template get Coffee::', ['v1']],
  ['vatom template get v', ['Coffee::v1', 'Mocha::v1', ' ']],
  [
    'vatom template get ',
    ['local.vatom::Coffee::v1', 'local.vatom::Evil\\$\\(touch\\ owned\\)\\`touch\\ owned\\`', 'local.vatom::Mocha::v1'],
  ],
  ['vatom plan ca', ['catalog']],
  ['vatom plan sh', ['show']],
  ['vatom plan catalog/m', ['catalog/mugs.yaml']],
  ['vatom plan show cof', ['coffee.yaml']],
  ['vatom validate dang', ['danger\\;touch\\ owned.yaml']],
  ['vatom validate ~/cof', ['~/coffee.yaml']],
]

test('bash completes commands, flags, values, files and names', async () => {
  const [words, flags, ...offered] = await offeredInBash([
    'vatom ',
    'vatom discover -',
    ...offers.map(([line]) => line),
  ])
  expect(offers.map(([line], index) => [line, offered[index]])).toEqual(offers)
  for (const word of ['template', 'explain', 'schema', 'api', 'help', 'environment']) expect(words).toContain(word)
  expect(words).not.toContain('__complete')
  for (const flag of ['--mine', '-f', '--file', '--json', '--no-color', '--help']) expect(flags).toContain(flag)
  expect(flags).not.toContain('--num')
}, 60_000)

/** What a line becomes when Tab is pressed behind it, in every shell. */
const completed: readonly (readonly [line: string, becomes: string])[] = [
  ['vatom temp', 'vatom template '],
  ['vatom template cr', 'vatom template create '],
  ['vatom --context local template cr', 'vatom --context local template create '],
  ['vatom help template cr', 'vatom help template create '],
  ['vatom template create cof', 'vatom template create coffee.yaml '],
  ['vatom face select cof', 'vatom face select coffee.yaml '],
  ['vatom face select Cof', 'vatom face select Coffee::v1 '],
  ['vatom face select ca', 'vatom face select catalog/'],
  ['vatom variation render --template cof', 'vatom variation render --template coffee.yaml '],
  ['vatom template list --time', 'vatom template list --timeout '],
  ['vatom template create --format gith', 'vatom template create --format github '],
  ['vatom template create --format=gith', 'vatom template create --format=github '],
  ['vatom template get local.vatom::C', 'vatom template get local.vatom::Coffee::v1 '],
  ['vatom variation list --template=local.vatom::C', 'vatom variation list --template=local.vatom::Coffee::v1 '],
  ["vatom template get '$publisher::C", "vatom template get '$publisher::Coffee::v1' "],
  ['vatom template get \\$publisher::C', 'vatom template get \\$publisher::Coffee::v1 '],
  ['vatom template get "local.vatom::C', 'vatom template get "local.vatom::Coffee::v1" '],
  ['vatom snapshot load bef', 'vatom snapshot load before-launch '],
  ['vatom act St', 'vatom act Stamp '],
  ['vatom explain icon-f', 'vatom explain icon-face '],
  ['vatom nonsense ', 'vatom nonsense '],
  ['vatom plan ca', 'vatom plan catalog/'],
  ['vatom plan catalog/m', 'vatom plan catalog/mugs.yaml '],
  ['vatom plan sho', 'vatom plan show '],
  ['vatom template get Cof', 'vatom template get Coffee::v1 '],
]

/** A later part of two names. */
const shared = 'vatom template get v'
const dangerous = 'vatom template get "local.vatom::E'

/** Why a shell cannot be tried on this machine. */
function missing(shell: Shell): string | undefined {
  if (!hasShell(shell)) return `${shell} is not installed on this machine`
  return hasTerminal() ? undefined : 'this machine cannot give a program a terminal: script is missing'
}

describe.each(['bash', 'zsh', 'fish'] as const)('%s', (shell) => {
  /** One session for all lines: to start one takes longer than to complete. */
  let session: Awaited<ReturnType<typeof typedIn>> = { typed: [], shown: '' }
  beforeAll(async () => {
    if (missing(shell)) return
    const lines = [...completed.map(([line]) => line), dangerous, 'vatom template ']
    // Bash lists at the second Tab, at which fish chooses.
    session = await typedIn(shell, home, [...lines, shell === 'bash' ? `${shared}\t` : shared])
  }, 60_000)

  test('completes what is typed on a terminal', ({ skip }) => {
    skip(missing(shell) !== undefined, missing(shell))
    expect(completed.map(([line], index) => [line, session.typed[index]])).toEqual(completed)
  })

  test('puts a name between double quotes so that nothing in it is run', ({ skip }) => {
    skip(missing(shell) !== undefined, missing(shell))
    const line = session.typed[completed.length] ?? ''
    expect(line).toContain('Evil')
    const show = line.replace('vatom template get', "printf '%s\\n'")
    expect(execFileSync(shell, ['-c', show], { cwd: home, encoding: 'utf8' })).toBe(
      'local.vatom::Evil$(touch owned)`touch owned`\n',
    )
    expect(existsSync(join(home, 'owned'))).toBe(false)
  })

  test('lists the verbs of a noun, with what they do where the shell shows that', ({ skip }) => {
    skip(missing(shell) !== undefined, missing(shell))
    expect(session.shown).toMatch(shell === 'bash' ? /create +/ : /create +(-- |\()create templates/)
    expect(session.shown).not.toContain('__complete')
  })

  test('lists the names that have a later part in common, and leaves what is typed', ({ skip }) => {
    skip(missing(shell) !== undefined, missing(shell))
    expect(session.shown).toMatch(/ ?Coffee::v1 +Mocha::v1/)
    expect(session.typed.at(-1)).toBe(shared)
  })

  test('finds no fault in the script', async ({ skip }) => {
    skip(!hasShell(shell), `${shell} is not installed on this machine`)
    const file = join(home, 'script')
    writeFileSync(file, (await vatom(['completion', shell])).out)
    expect(execFileSync(shell, ['-n', file], { encoding: 'utf8' })).toBe('')
  })
})

test('zsh completes with the script among its functions', async ({ skip }) => {
  skip(missing('zsh') !== undefined, missing('zsh'))
  writeFiles(home, { 'functions/_vatom': (await vatom(['completion', 'zsh'])).out })
  expect(await typedIn('zsh', home, ['vatom temp', 'vatom template cr'])).toMatchObject({
    typed: ['vatom template ', 'vatom template create '],
  })
}, 60_000)
