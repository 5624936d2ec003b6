import { nextTurn } from '../store/next-turn.ts'
import { retried } from '../store/retried.ts'
import { inTurns } from '../store/slices.ts'
import { Turns } from '../store/turns.ts'

/** Stands for the address of the service until a request says how it is called. */
const anyAddress = 'http://address.invalid'

/**
 * The OpenAPI document for each address by which the service is called. It is made once, as that takes tens of milliseconds;
 * others have turns between loading the code, building the schemas and running it, and between the answers to those who
 * waited for it. That of the latest address is kept.
 */
export function apiDocument(appId: string): (serverUrl: string) => Promise<Buffer> {
  let parts: readonly string[] | undefined
  const answers = new Turns({ atOnce: 1 })
  const made = retried(async (): Promise<readonly string[]> => {
    const [{ openApi }, { buildSchemas }] = await Promise.all([
      import('../../contract/derived/openapi.ts'),
      import('../../contract/schema/lazy-schema.ts'),
    ])
    await nextTurn()
    await inTurns(buildSchemas())
    return JSON.stringify(openApi({ serverUrl: anyAddress, appId })).split(JSON.stringify(anyAddress))
  })
  const waitedFor = async () => {
    const found = await made()
    await answers.take(nextTurn)
    return found
  }
  let latest: { readonly serverUrl: string; readonly text: Buffer } | undefined
  return async (serverUrl) => {
    parts ??= await waitedFor()
    if (latest?.serverUrl !== serverUrl)
      latest = { serverUrl, text: Buffer.from(parts.join(JSON.stringify(serverUrl))) }
    return latest.text
  }
}
