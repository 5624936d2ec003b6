import { boundsOf, deadline, resultOf } from './bounds.mjs'
import { fuzzBytes, fuzzFrames } from './fuzz-bytes.mjs'
import { fuzzDocuments } from './fuzz-documents.mjs'
import { fuzzOperations } from './fuzz-operations.mjs'
import { freshToken, serveInMemory, sessionOf } from './serve.mjs'

/**
 * Asks every operation and every route below `/__vatom/` with valid bodies and mutated ones, `--count` requests in all;
 * then a quarter as many connections of raw bytes, and as many WebSockets and documents. No answer is a 5xx, each has the
 * form that the API says, and the service goes on.
 */
export async function run(args) {
  const { seed, count, ...rest } = boundsOf(args, { count: 20_000, seconds: 1200 })
  const bounds = { ...rest, seed, count }
  const few = () => ({ ...bounds, count: Math.ceil(count / 4), isOver: deadline(bounds.seconds / 4) })
  const { ready, stop } = await serveInMemory()
  const parts = [await fuzzOperations(ready, bounds)]
  const session = await sessionOf(ready)
  const token = () => freshToken(ready, session)
  parts.push(await fuzzBytes(ready, few()))
  parts.push(await fuzzFrames(ready, few(), await token()))
  parts.push(await fuzzDocuments(ready, few(), token))
  await stop()
  return resultOf(
    parts.map(({ figures }) => figures).join(', '),
    parts.flatMap(({ faults }) => faults),
    seed,
  )
}
