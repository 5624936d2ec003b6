import type { ConsoleRequest } from '../../../contract/console.ts'

/** Where a request goes. */
interface Place {
  readonly origin: string
  readonly appId: string
}

/** A request as a line for curl, with the token of the local context. */
export function asCurl({ method, path, sent }: ConsoleRequest, { origin, appId }: Place): string {
  const parts = [
    `curl -X ${method} ${quoted(origin + path)}`,
    `-H ${quoted(`App-Id: ${appId}`)}`,
    `-H "Authorization: Bearer $(vatom auth token)"`,
    ...(sent ? [`-H ${quoted('Content-Type: application/json')}`, `-d ${quoted(sent.text)}`] : []),
  ]
  return parts.join(' \\\n  ')
}

/** A request as a line for `vatom api`. */
export function asVatomApi({ method, path, sent }: ConsoleRequest, { origin, appId }: Place): string {
  const line = `vatom api ${method} ${quoted(path.replace(/^\/+/, ''))} --base-url ${origin} --app-id ${quoted(appId)}`
  return sent ? `printf %s ${quoted(sent.text)} | ${line} --input -` : line
}

/** A word for a POSIX shell. */
const quoted = (text: string): string => (/^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
