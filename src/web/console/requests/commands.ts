import { dryRunDone, dryRunHeader } from '../../../contract/api/dry-run.ts'
import type { ConsoleRequest } from '../../../contract/console.ts'
import { serviceOptions, shellWord } from '../shell/shell-word.ts'

type Sent = Pick<ConsoleRequest, 'method' | 'path' | 'sent' | 'dry_run'>

/** Where a request goes. */
interface Place {
  readonly origin: string
  readonly appId: string
}

/** A request as a line for curl, with the token of the local context. */
export function asCurl({ method, path, sent, dry_run: isDry }: Sent, { origin, appId }: Place): string {
  const parts = [
    `curl -X ${method} ${shellWord(origin + path)}`,
    `-H ${shellWord(`App-Id: ${appId}`)}`,
    `-H "Authorization: Bearer $(vatom auth token)"`,
    ...(isDry ? [`-H ${shellWord(`${dryRunHeader}: ${dryRunDone}`)}`] : []),
    ...(sent ? [`-H ${shellWord('Content-Type: application/json')}`, `--data-raw ${shellWord(sent.text)}`] : []),
  ]
  return parts.join(' \\\n  ')
}

/** A request as a line for `vatom api`. */
export function asVatomApi({ method, path, sent, dry_run: isDry }: Sent, { origin, appId }: Place): string {
  const line = `vatom api ${method} ${shellWord(path.replace(/^\/+/, ''))} ${serviceOptions(origin, appId)}${isDry ? ' --dry-run' : ''}`
  return sent ? `printf %s ${shellWord(sent.text)} | ${line} --input -` : line
}
