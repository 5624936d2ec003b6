import { dryRunDone, dryRunHeader } from '../../../contract/api/dry-run-header.ts'
import type { ConsoleRequest, KeptPart } from '../../../contract/console.ts'
import { ownAddress } from '../../own-address.ts'
import { serviceOptions, shellWord, vatomWith } from '../shell/shell-word.ts'

type Sent = Pick<ConsoleRequest, 'method' | 'path' | 'sent' | 'parts' | 'dry_run'>

/** Where a request goes. */
interface Place {
  readonly origin: string
  readonly appId: string
}

/** The same, and an access token of who sends it. */
interface Signed extends Place {
  readonly token: string
}

/** A request as a line for curl, without a token where it is nobody's; files of an upload by their names. */
export function asCurl(
  { method, path, sent, parts = [], dry_run: isDry }: Sent,
  { origin, appId, token }: Place & Partial<Signed>,
): string {
  const words = [
    `curl -X ${method} ${shellWord(ownAddress(path, origin))}`,
    `-H ${shellWord(`App-Id: ${appId}`)}`,
    ...(token === undefined ? [] : [`-H "Authorization: Bearer ${token}"`]),
    ...(isDry ? [`-H ${shellWord(`${dryRunHeader}: ${dryRunDone}`)}`] : []),
    ...(sent ? [`-H ${shellWord('Content-Type: application/json')}`, `--data-raw ${shellWord(sent.text)}`] : []),
    ...parts.map(asPart),
  ]
  return words.join(' \\\n  ')
}

/** A part of an upload for curl, which reads quoted names of files as they are, and those of fields up to the first `=`. */
function asPart({ field, file, type, body }: KeptPart): string {
  const name = field.replaceAll('=', '%3D')
  return file === undefined
    ? `--form-string ${shellWord(`${name}=${body?.text ?? ''}`)}`
    : `-F ${shellWord(`${name}=@"${file.replaceAll(/[\\"]/g, '\\$&')}";type=${type}`)}`
}

/** A request as a line for `vatom api`. */
export function asVatomApi({ method, path, sent, dry_run: isDry }: Sent, { origin, appId, token }: Signed): string {
  const line = `${vatomWith(token)} api ${method} ${shellWord(path.replace(/^\/+/, ''))} ${serviceOptions(origin, appId)}${isDry ? ' --dry-run' : ''}`
  return sent ? `printf %s ${shellWord(sent.text)} | ${line} --input -` : line
}
