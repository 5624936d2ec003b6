import { ApiError } from '../../contract/api/errors.ts'
import { limits } from '../../contract/limits.ts'
import { JsonParts, JsonText } from '../domain/json-text.ts'
import { beginTurn } from '../store/slices.ts'

/** Gives others a turn in the transaction of a dry run. */
export type Pause = () => Promise<void>

/**
 * The payload of an answer, read before what it is read from is rolled back; others have turns meanwhile. Throws
 * `dryRunFull` for one that is longer than a dry run holds in memory.
 */
export async function predictedPayload(payload: unknown, pause: Pause): Promise<unknown> {
  if (!(payload instanceof JsonParts)) return payload
  const texts: string[] = []
  let bytes = 0
  let isOver = beginTurn()
  for (const text of payload.parts) {
    bytes += Buffer.byteLength(text)
    if (bytes > limits.dryRunAnswer) throw new ApiError('dryRunFull', tooLong)
    texts.push(text)
    if (!isOver()) continue
    await pause()
    isOver = beginTurn()
  }
  return new JsonText(texts.join(''))
}

const tooLong = 'the answer is too long for a dry run: ask for fewer at a time'
