import { nextTurn } from '../store/next-turn.ts'

/** Stands for the address of the service until a request says how it is called. */
const anyAddress = 'http://address.invalid'

/**
 * The OpenAPI document as text for each address by which the service is called. It is made once, as that takes tens of
 * milliseconds; others have a turn between loading the code and running it.
 */
export function apiDocument(appId: string): (serverUrl: string) => Promise<string> {
  let made: Promise<readonly string[]> | undefined
  const make = async () => {
    const { openApi } = await import('../../contract/derived/openapi.ts')
    await nextTurn()
    return JSON.stringify(openApi({ serverUrl: anyAddress, appId })).split(JSON.stringify(anyAddress))
  }
  return async (serverUrl) => {
    made ??= make()
    return (await made).join(JSON.stringify(serverUrl))
  }
}
