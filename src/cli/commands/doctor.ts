import { Command } from 'commander'
import type { Context } from '../context.ts'

export const command = (context: Context): Command =>
  new Command('doctor')
    .description(
      'Check what vatom needs: Node, SQLite, its folders, the current context, its service and your session there. Secrets are not printed.',
    )
    .addHelpText(
      'after',
      `
Examples:
  vatom doctor
  vatom doctor --context staging
  vatom doctor --json | jq '.checks[] | select(.status != "ok")'

The exit code is 1 if a check failed; warnings do not change it.`,
    )
    .action(async () => (await import('../doctor/doctor.ts')).doctor(context))
