import { nextTurn } from '../store/next-turn.ts'

/** Stands for the address of the service until a request says how it is called. */
const anyAddress = 'http://address.invalid'

/**
 * The OpenAPI document for each address by which the service is called. It is made once, as that takes tens of milliseconds;
 * others have a turn between loading the code and running it. That of the latest address is kept.
 */
export function apiDocument(appId: string): (serverUrl: string) => Promise<Buffer> {
  let made: Promise<readonly string[]> | undefined
  const make = async () => {
    const { openApi } = await import('../../contract/derived/openapi.ts')
    await nextTurn()
    return JSON.stringify(openApi({ serverUrl: anyAddress, appId })).split(JSON.stringify(anyAddress))
  }
  let latest: { readonly serverUrl: string; readonly text: Buffer } | undefined
  return async (serverUrl) => {
    made ??= make()
    const parts = await made
    if (latest?.serverUrl !== serverUrl)
      latest = { serverUrl, text: Buffer.from(parts.join(JSON.stringify(serverUrl))) }
    return latest.text
  }
}
