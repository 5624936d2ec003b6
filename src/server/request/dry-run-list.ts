import { DryRunList, printPlace } from '../../contract/api/dry-run.ts'
import { dryRunHeader } from '../../contract/api/dry-run-header.ts'
import { isChange, isCounted } from '../../contract/api/endpoint.ts'
import { ApiError, errorCatalogue } from '../../contract/api/errors.ts'
import { parseJsonBody } from '../../contract/api/json-body.ts'
import type { WireResponse } from '../../contract/api/wire.ts'
import { at } from '../../contract/schema/path.ts'
import { parseJson } from '../../contract/unknown-values.ts'
import { bearer } from '../auth/tokens.ts'
import type { Environment } from '../environment.ts'
import { LoopTurns } from '../store/loop-turns.ts'
import { type Sender, senderAt } from '../store/senders.ts'
import { validated } from '../valid-input.ts'
import { inject } from './inject.ts'
import type { Route } from './routes.ts'

/** A list of requests of one dry run. */
interface ListRequest {
  readonly service: Environment
  readonly body: string
  /** Those of each request of the list. */
  readonly headers: Readonly<Record<string, string>>
  readonly address: string
  /** Whether nobody waits for the answers any more. */
  readonly isGone: () => boolean
  readonly baseUrl: string
}

/**
 * The answers to the requests of a list, in order; without those after an answer that ends the dry run, and from one that
 * has to wait, which can be sent again. Each is carried out in a turn of its own, so that requests of others are answered in
 * between. Throws `invalid`, and `busy` if the first has to wait or too much of other lists is carried out.
 */
export async function predictList(list: ListRequest): Promise<WireResponse[]> {
  const { service, body } = list
  const sender = senderOf(list)
  const release = service.heldLists.hold(sender, Buffer.byteLength(body))
  try {
    return await answersTo(list, sender)
  } finally {
    release()
  }
}

function senderOf({ service, address, headers }: ListRequest): Sender {
  const user = service.tokens.claimsOf(bearer(headers.authorization))?.user_id
  return senderAt(address, user === undefined ? undefined : service.store.users.byId(user))
}

/** The turns of requests: one that is refused waits for nothing else. */
const turns = new LoopTurns()

async function answersTo({ service, body, headers, ...from }: ListRequest, { line }: Sender): Promise<WireResponse[]> {
  const { id, changes, requests } = validated(DryRunList(), parseJsonBody(body))
  const answers: WireResponse[] = []
  let done = changes
  for (const [index, request] of requests.entries()) {
    // That of the first has been taken to read the list.
    if (index === 0 || !turns.hasTime()) await new Promise<void>((resolve) => turns.wait(line, resolve))
    const place = { [dryRunHeader]: printPlace({ id, changes: done }) }
    const answer = await inject(service, { ...request, headers: { ...headers, ...place } }, { ...from, check })
    if (isError(answer, busy)) {
      if (answers.length === 0) throw new ApiError('busy', messageOf(answer))
      break
    }
    answers.push(answer)
    if (answer.status === 200) done++
    if (isError(answer, ...ends)) break
  }
  return answers
}

/** Only changes are listed; calls that are counted by their address are sent one by one. */
function check({ row }: Route): void {
  if (!isChange(row)) throw new ApiError('invalid', `${row.method} ${row.path} changes nothing: send it by itself`)
  if (isCounted(row)) throw new ApiError('dryRunRefused')
}

const busy = errorCatalogue.busy.code
const ends = [errorCatalogue.dryRunFull.code, errorCatalogue.dryRunLost.code]

const isError = ({ status, body }: WireResponse, ...codes: readonly number[]): boolean =>
  status !== 200 && codes.some((code) => code === at(parseJson(body), 'error'))

const messageOf = ({ body }: WireResponse) => String(at(parseJson(body), 'message'))
