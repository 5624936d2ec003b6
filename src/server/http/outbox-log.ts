import type { FastifyInstance } from 'fastify'
import type { Environment } from '../environment.ts'
import type { OutboxRow } from '../store/codes.ts'

/** Logs a line for each message once the request that sent it is answered; those of other processes come with the next. */
export function logMessages(app: FastifyInstance, { store, log }: Environment): void {
  if (!log) return
  let logged = store.outbox.last()
  app.addHook('onResponse', async ({ method }) => {
    if (method === 'GET') return
    for (const message of store.outbox.after(logged)) {
      logged = message.seq
      log(lineOf(message))
    }
  })
}

/** A guest id never expires: it stays out of the log. */
const lineOf = ({ recipient, token_type, kind, code }: OutboxRow) =>
  `message to ${recipient} (${token_type}): ${kind} ${kind === 'guest_id' ? 'is in /__vatom/outbox' : code}`
