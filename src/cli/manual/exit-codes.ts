import { exit } from '../failure/failure.ts'

const meanings: Readonly<Record<keyof typeof exit, string>> = {
  done: 'success',
  refused: 'the command failed or the service refused it',
  usage:
    'wrong usage, or a question cannot be asked because there is no terminal, such as which of several records a part of a name stands for; if it stands for none, it is 1',
  invalid: 'documents are invalid or missing, or have more warnings than `--max-warnings` allows; nothing was sent',
  session: 'no session, an expired one, a failed login, or not authorized (403)',
  unreachable: 'no answer, a timeout, or 408, 429 or 5xx other than 501 after all retries',
  partial:
    'some documents were changed and some failed, and those that were unchanged count as neither; if all failed for one reason, the code of that reason. Of `apply` also: all was sent, and has more warnings than `--max-warnings` allows',
  different:
    '`plan --exit-code`: there is something to apply; what only `--publish` would publish counts with `--publish` or `--out`',
  notExecutable: '`serve -- COMMAND`: the command cannot be executed',
  notFound: '`serve -- COMMAND`: the command was not found',
  interrupted:
    'interrupted by Ctrl-C or SIGTERM; a `serve` without a command exits with 0 on SIGTERM, which is how it is ended',
}

/** The exit codes of the process. */
export const exitCodes: readonly { readonly code: number; readonly name: string; readonly meaning: string }[] =
  Object.entries(exit).map(([name, code]) => ({ code, name, meaning: meanings[name as keyof typeof exit] }))
