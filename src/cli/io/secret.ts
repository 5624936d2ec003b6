import { Buffer } from 'node:buffer'
import { limits } from '../../contract/limits.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { readStdin } from './stdin.ts'

type Source = Pick<Context, 'host' | 'prompt'>
/** The option that takes a secret from standard input, and how a person is asked for it. */
interface Asked {
  readonly flag: string
  readonly question: string
}

/** A secret from standard input: its first line, without the line break. On a terminal it is asked for, and not shown. */
export async function readSecret({ host, prompt }: Source, { flag, question }: Asked): Promise<string> {
  if (host.stdin.isTTY === true) {
    if (!prompt.canAsk())
      throw usage(`${flag}: standard input is a terminal, which would show what is typed`, pipe(flag))
    return needed(await prompt.secret(question, flag), flag)
  }
  const text = Buffer.from(await readStdin(host, limits.bearerToken)).toString('utf8')
  const [line = ''] = text.split(/\r?\n/, 1)
  if (Buffer.byteLength(line) > limits.bearerToken)
    throw usage(
      `${flag} found more than ${limits.bearerToken} bytes without a line break on standard input`,
      pipe(flag),
    )
  return needed(line, flag)
}

/** A new password, as `readSecret`; a person types it twice. */
export async function readNewPassword(
  context: Pick<Context, 'host' | 'prompt' | 'output'>,
  asked: Asked,
): Promise<string> {
  const secret = await readSecret(context, asked)
  if (context.host.stdin.isTTY !== true || (await isRepeated(secret, asked.flag, context))) return secret
  return readNewPassword(context, asked)
}

/** Whether a person types a new password again alike; warns otherwise. */
export async function isRepeated(
  secret: string,
  flag: string,
  { prompt, output }: Pick<Context, 'prompt' | 'output'>,
): Promise<boolean> {
  if ((await prompt.secret('The password again', flag)) === secret) return true
  output.warn('The passwords differ: type both again')
  return false
}

function needed(secret: string, flag: string): string {
  if (secret !== '') return secret
  throw usage(`${flag} found nothing on standard input`, pipe(flag))
}

const pipe = (flag: string) => `printf %s "$SECRET" | vatom … ${flag}`
