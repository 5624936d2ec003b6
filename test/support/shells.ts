import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { writeFiles } from './folders.ts'

/** What a shell reads at its start: our script, and a key that writes the line typed so far to a file and clears it. */
const shells = {
  bash: {
    start: 'bash --rcfile shellrc -i',
    rc: `eval "$(vatom completion bash)"
report() { printf '%s\\n' "$READLINE_LINE" >> typed; READLINE_LINE=; }
bind -x '"\\C-t": report'
bind 'set completion-query-items 0'
bind 'set page-completions off'
PS1='ready> '`,
  },
  zsh: {
    start: 'ZDOTDIR=zsh zsh -d -i',
    rc: `fpath=($PWD/functions $fpath)
autoload -Uz compinit && compinit -u -d zcompdump
[[ -e functions/_vatom ]] || eval "$(vatom completion zsh)"
report() { print -r -- "$BUFFER" >> typed; BUFFER= }
zle -N report
bindkey '^T' report
PS1='ready> '`,
  },
  fish: {
    start: 'fish -i',
    rc: `vatom completion fish | source
function fish_prompt; echo -n 'ready> '; end
function fish_greeting; end
bind \\ct 'commandline >> typed; commandline ""'`,
  },
} as const
export type Shell = keyof typeof shells

/** Where each shell looks for what it reads at its start. */
const rcFiles = { bash: 'shellrc', zsh: 'zsh/.zshrc', fish: '.config/fish/config.fish' } as const

/** Whether this machine has a shell. */
export const hasShell = (shell: Shell): boolean => {
  try {
    return execFileSync(shell, ['-c', 'echo yes'], { stdio: 'pipe' }).length > 0
  } catch {
    return false
  }
}

/** Types lines in a shell on a terminal, each followed by Tab; answers what became of them, and what was shown. */
export async function typedIn(shell: Shell, home: string, lines: readonly string[]) {
  const { start, rc } = shells[shell]
  rmSync(join(home, 'typed'), { force: true })
  // Without this folder fish reads all manual pages of the machine, and writes what it finds there.
  mkdirSync(join(home, '.local/share/fish/generated_completions'), { recursive: true })
  writeFiles(home, { [rcFiles[shell]]: `${rc}\n` })
  const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, TERM: 'xterm', LANG: 'C.UTF-8' }
  const child = spawn('script', ['-qec', start, '/dev/null'], { cwd: home, env })
  const closed = new Promise((resolve) => child.once('close', resolve))
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  const typed = () => (existsSync(join(home, 'typed')) ? readFileSync(join(home, 'typed'), 'utf8').split('\n') : [''])
  const reached = async (isReached: () => boolean) => {
    for (const end = Date.now() + 20_000; !isReached(); ) {
      if (Date.now() > end) throw new Error(`${shell} shows:\n${shown}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  try {
    await reached(() => shown.includes('ready> '))
    for (const [index, line] of lines.entries()) {
      child.stdin.write(`${line}\t\x14`)
      await reached(() => typed().length > index + 1)
    }
  } finally {
    child.stdin.end('exit\n')
    await closed
  }
  return { typed: typed().slice(0, -1), shown: stripVTControlCharacters(shown) }
}
