import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { facing } from '../../../support/desks.ts'

const id = '11111111-1111-4111-8111-111111111111'

const gatewayRefuses: RequestListener = (_, response) => {
  response.statusCode = 403
  response.end('<html>blocked</html>')
}
const connectionIsClosed: RequestListener = (request) => {
  request.socket.destroy()
}
const answerIsWrong: RequestListener = (_, response) => {
  response.end(JSON.stringify({ payload: { vatoms: 'none' } }))
}

/** A service that performs an action, and answers everything after it in another way. */
async function failingAfterAction(after: RequestListener) {
  let performed = 0
  const desk = await facing((request, response) => {
    if (request.url?.includes('/action/')) {
      performed++
      return response.end(JSON.stringify({ payload: { main: { output: '{"ok":true}' } } }))
    }
    if (performed > 0) return after(request, response)
    response.end(JSON.stringify({ payload: { vatoms: [], faces: [], actions: [] } }))
  })
  return { ...desk, performed: () => performed }
}

test.each([
  ['Pickup', 'a gateway refuses', gatewayRefuses],
  ['Acquire', 'the connection is closed at', connectionIsClosed],
  ['Acquire', 'the answer is wrong to', answerIsWrong],
] as const)(
  '%s was performed, and prints its output, where %s the look at what came along',
  async (action, _, after) => {
    const { run, env, performed } = await failingAfterAction(after)
    const { code, out, err } = await run(['act', action, id, '--yes'], { env })
    expect({ code, out, performed: performed() }).toEqual({ code: 0, out: '{"ok":true}\n', performed: 1 })
    expect(err).toMatch(new RegExp(`^(context .*\\n)?${action} was performed on ${id} on [^;,]*\\n$`))
  },
)
