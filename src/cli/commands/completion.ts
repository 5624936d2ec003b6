import { Argument, Command } from 'commander'
import type { Context } from '../context.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

export const command = (context: Context): Command =>
  new Command('completion')
    .description('Print a script that completes commands, flags, values, files, and names of templates and variations.')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  eval "$(vatom completion bash)"     in ~/.bashrc
  eval "$(vatom completion zsh)"      in ~/.zshrc, after compinit
  vatom completion fish > ~/.config/fish/completions/vatom.fish

Names come from the current context, if it answers within a second.`,
    )
    .action((shell: Shell) => completion(shell, context))

async function completion(shell: Shell, context: Context): Promise<void> {
  const [{ commandRows }, { loadCommands }, script] = await Promise.all([
    import('../completion/rows.ts'),
    import('../words.ts'),
    scripts[shell](),
  ])
  const text = script(commandRows(context.host, await loadCommands(context)))
  context.output.result({ shell, script: text }, () => text.split('\n'))
}

const scripts = {
  bash: async () => (await import('../completion/bash.ts')).bashScript,
  zsh: async () => (await import('../completion/zsh.ts')).zshScript,
  fish: async () => (await import('../completion/fish.ts')).fishScript,
}
