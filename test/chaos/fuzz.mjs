import { publishExample, signIn } from '../bench/publisher.mjs'
import { boundsOf, deadline, resultOf } from './bounds.mjs'
import { fuzzBytes, fuzzFrames } from './fuzz-bytes.mjs'
import { fuzzDocuments } from './fuzz-documents.mjs'
import { fuzzOperations } from './fuzz-operations.mjs'
import { freshToken, serveInMemory, sessionOf } from './serve.mjs'

/** Attacks a service of its own: some routes that are asked delete all data. */
async function onService(attack) {
  const { ready, stop } = await serveInMemory()
  const result = await attack(ready)
  await stop()
  return result
}

/**
 * Asks every operation and every route below `/__vatom/` with valid bodies and mutated ones, `--count` requests in all;
 * then a quarter as many connections of raw bytes, and as many WebSockets and documents. No answer is a 5xx, each has the
 * form that the API says, and the service goes on.
 */
export async function run(args) {
  const { seed, count, ...rest } = boundsOf(args, { count: 20_000, seconds: 1200 })
  const bounds = { ...rest, seed, count }
  const few = () => ({ ...bounds, count: Math.ceil(count / 4), isOver: deadline(bounds.seconds / 4) })
  const parts = [
    await onService((ready) => fuzzOperations(ready, bounds)),
    await onService((ready) => fuzzBytes(ready, few())),
    await onService(async (ready) => fuzzFrames(ready, few(), (await sessionOf(ready)).access_token.token)),
    await onService(async (ready) => {
      await publishExample(await signIn(ready))
      const session = await sessionOf(ready)
      return fuzzDocuments(ready, few(), () => freshToken(ready, session))
    }),
  ]
  return resultOf(
    parts.map(({ figures }) => figures).join(', '),
    parts.flatMap(({ faults }) => faults),
    seed,
  )
}
