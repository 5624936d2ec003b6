import { exit } from '../../failure/failure.ts'
import { defined } from '../../io/wrap.ts'
import type { Page } from './index.ts'

const meanings: Readonly<Record<keyof typeof exit, string>> = {
  done: 'done',
  refused: 'refused or failed',
  usage: 'usage, or an answer is missing and there is nobody to ask',
  invalid: 'documents are invalid or missing; nothing was sent. Warnings never cause it',
  session: 'no session or an expired one, a refused login, not authorized (403)',
  unreachable: 'no answer, or too slow, or 429 or 5xx after retries',
  partial: 'some documents succeeded and some failed; where all fail alike, their code',
  different: 'plan --exit-code: something is to be done',
  notExecutable: 'serve -- COMMAND: the command cannot be run',
  notFound: 'serve -- COMMAND: there is no such command',
  interrupted: 'interrupted by Ctrl-C',
}

const rows = Object.entries(exit).map(([name, code]) => ({
  code,
  name,
  meaning: meanings[name as keyof typeof exit],
}))

/** What the process answers. */
export const exitCodes: Page = {
  data: rows,
  lines: ({ columns }) => [
    'Exit codes of every command:',
    '',
    ...rows.flatMap(({ code, meaning }) => defined(String(code), meaning, 7, columns)),
    '',
    'Example:',
    '  vatom validate catalog/',
    '  if [ $? -eq 3 ]; then echo "mend the catalog"; fi',
  ],
}
