import type { FastifyInstance } from 'fastify'
import { queriedPage } from '../domain/paging.ts'
import type { Environment } from '../environment.ts'
import { validated } from '../request/parse.ts'
import type { OutboxRow } from '../store/codes.ts'
import { NewestQuery } from './controls.ts'

/** The newest messages to users, oldest first. Throws `invalid`. */
export function outboxPage({ store }: Environment, query: unknown): object[] {
  const asked = validated(NewestQuery, query, { spec: '', errors: ['invalid'] })
  return store.outbox.newest(queriedPage({ limit: '0', ...asked }).limit).map(answered)
}

const answered = ({ recipient, token_type, kind, code, when_sent }: OutboxRow) => ({
  to: recipient,
  token_type,
  kind,
  code,
  when: when_sent,
})

/** Says a line for each message, once the request that sent it is answered; other processes' are told with the next. */
export function tellMessages(app: FastifyInstance, { store, log }: Environment): void {
  if (!log) return
  let told = store.outbox.last()
  app.addHook('onResponse', async ({ method }) => {
    if (method === 'GET') return
    for (const message of store.outbox.after(told)) {
      told = message.seq
      log(lineOf(message))
    }
  })
}

/** A guest id is good for ever: it stays out of the log. */
const lineOf = ({ recipient, token_type, kind, code }: OutboxRow) =>
  `message to ${recipient} (${token_type}): ${kind} ${kind === 'guest_id' ? 'is in /__vatom/outbox' : code}`
