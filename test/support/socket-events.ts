import { arrivalPayloads } from '../../src/server/domain/events.ts'
import type { EventRow } from '../../src/server/store/events.ts'
import { openStore } from '../../src/server/store/store.ts'
import { newDatabase } from './folders.ts'

/** A database in a file, and what those who use a service on it are told: read as another process reads it. */
export function watched() {
  const db = newDatabase()
  const events = async () => {
    const store = await openStore(db)
    const found = toldBeyondEmission(store.events.after(0, 1000))
    await store.close()
    return found.map(({ msg_type, user_id, payload }) => ({ type: msg_type, user: user_id, ...payload }))
  }
  return { db, events }
}

/** What rows tell, each as a message of its own, without what came of emissions. */
export const toldBeyondEmission = (rows: readonly EventRow[]) =>
  rows
    .flatMap((row) =>
      row.msg_type === 'arrivals'
        ? arrivalPayloads(row.payload).map((payload) => ({ ...row, msg_type: 'inventory', payload }))
        : [row],
    )
    .map(({ msg_type, user_id, payload }) => ({ msg_type, user_id, payload: JSON.parse(payload) }))
    .filter(({ payload }) => payload.action_name !== 'Emit')
