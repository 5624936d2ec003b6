import { messageOf } from '../../contract/unknown-values.ts'
import type { Environment } from '../environment.ts'
import type { OutboxRow } from '../store/codes.ts'
import { inNextTurn } from '../store/next-turn.ts'

/** Logs a line for each message once it is sent, by this process or another; returns a function that ends that, after those sent so far. */
export function logMessages({ store, log }: Pick<Environment, 'store' | 'log'>): () => void {
  if (!log) return () => {}
  let logged = store.outbox.last()
  let isOpen = true
  let isDue = false
  const logNew = () => {
    for (const message of store.outbox.after(logged)) {
      logged = message.seq
      log(lineOf(message), { event: 'message', kind: message.kind, token_type: message.token_type })
    }
  }
  const next = () => {
    isDue = false
    try {
      if (isOpen) logNew()
    } catch (error) {
      log(`messages: ${messageOf(error)}`)
    }
  }
  const unwatch = store.watch(() => {
    if (!isDue) inNextTurn(next)
    isDue = true
  })
  return () => {
    unwatch()
    next()
    isOpen = false
  }
}

/** A guest id never expires: it stays out of the log. */
const lineOf = ({ recipient, token_type, kind, code }: OutboxRow) =>
  `message to ${recipient} (${token_type}): ${kind} ${kind === 'guest_id' ? 'is in /__vatom/outbox' : code}`
