import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newMachine, root } from '../support/binary.ts'

/** A word as bash breaks it: at `:` and `=` too, unless it is quoted. */
const broken = (line: string): string[] => {
  const parts = [...line.matchAll(/'[^']*'?|"[^"]*"?|[:=]+|[^\s:='"]+/g)].map(([part]) => part)
  return /\s$/.test(line) ? [...parts, ''] : parts
}

/** A machine with the script sourced, a template, and files; answers what is offered at the end of a line. */
async function bash() {
  const { home, vatom } = newMachine()
  mkdirSync(join(home, 'bin'))
  mkdirSync(join(home, 'catalog'))
  writeFileSync(
    join(home, 'coffee.yaml'),
    'template: $publisher::Coffee::v1\nvatom: {vAtom::vAtomType: {root_type: vAtom::vAtomType}}\n',
  )
  writeFileSync(join(home, 'bin/vatom'), `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/vatom.js')}" "$@"\n`)
  chmodSync(join(home, 'bin/vatom'), 0o755)
  await vatom(['template', 'create', 'coffee.yaml'])
  writeFileSync(join(home, 'vatom.bash'), (await vatom(['completion', 'bash'])).out)
  const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home }
  const script = `source vatom.bash
line=$1; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE=$line COMP_POINT=\${#line} COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
_vatom && printf '%s\\n' "\${COMPREPLY[@]}"`
  return (line: string) =>
    new Promise<string[]>((resolve, reject) =>
      execFile('bash', ['-c', script, 'bash', line, ...broken(line)], { cwd: home, env }, (error, out, err) => {
        if (error || err) reject(new Error(`${line}: ${err}`))
        else resolve(out.split('\n').filter(Boolean))
      }),
    )
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
  ['vatom template create --format ', ['text', 'json', 'github', 'sarif']],
  ['vatom template create --format=', ['text', 'json', 'github', 'sarif']],
  ['vatom template create --format=gi', ['github']],
  ['vatom template create coffee.yaml --format s', ['sarif']],
  ['vatom face register --view-mode f', ['fullscreen']],
  ['vatom schema ', ['template', 'variation', 'face', 'action', 'discover', 'profile']],
  ['vatom completion z', ['zsh']],
  ['vatom api P', []],
  ['vatom template create cof', ['coffee.yaml']],
  ['vatom template create coffee.yaml cat', ['catalog']],
  ['vatom discover -f cof', ['coffee.yaml']],
  ['vatom template list --tim', ['--timeout']],
  ['vatom context use lo', ['local']],
  ['vatom --context lo', ['local']],
  ['vatom emit --num ', []],
  ['vatom nonsense ', []],
  ['vatom template get loc', ['local.vatom::Coffee::v1']],
  ['vatom template get local.vatom::', ['Coffee::v1']],
  ['vatom template get local.vatom::Coffee::', ['v1']],
  ['vatom --context local template get local.vatom::Co', ['Coffee::v1']],
  ['vatom --context elsewhere template get local.vatom::Co', []],
  ['vatom variation list --template local.vatom::Co', ['Coffee::v1']],
  ['vatom variation list --template=local.vatom::Co', ['Coffee::v1']],
  ["vatom template get '$publisher::Co", ['$publisher::Coffee::v1']],
  ['vatom template get \\$pub', ['\\$publisher::Coffee::v1']],
  ['vatom template delete local.vatom::Coffee::v1 loc', ['local.vatom::Coffee::v1']],
  ['vatom template get local.vatom::Coffee::v1 ', []],
]

test('bash completes commands, flags, values, files and names', async () => {
  const offered = await bash()
  const found = []
  for (const [line] of offers) found.push([line, await offered(line)])
  expect(found).toEqual(offers)

  const words = await offered('vatom ')
  for (const word of ['template', 'explain', 'schema', 'api', 'help', 'environment']) expect(words).toContain(word)
  expect(words).not.toContain('__complete')
  const flags = await offered('vatom discover -')
  for (const flag of ['--mine', '-f', '--file', '--json', '--no-color', '--help']) expect(flags).toContain(flag)
  expect(flags).not.toContain('--num')
}, 60_000)

const has = (shell: string) => {
  try {
    return execFileSync(shell, ['-c', 'echo yes'], { stdio: 'pipe' }).length > 0
  } catch {
    return false
  }
}

test.each(['bash', 'zsh', 'fish'].filter(has))('%s finds no fault in the script', async (shell) => {
  const { home, vatom } = newMachine()
  const file = join(home, 'script')
  writeFileSync(file, (await vatom(['completion', shell])).out)
  expect(execFileSync(shell, ['-n', file], { encoding: 'utf8' })).toBe('')
})
