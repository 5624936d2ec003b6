import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore } from '../../src/server/store/store.ts'

/** A database in a file, and what those who use a service on it are told: read as another process reads it. */
export function watched() {
  const dir = mkdtempSync(join(tmpdir(), 'vatom-events-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const db = join(dir, 'service.db')
  const events = async () => {
    const store = await openStore(db)
    const found = store.events.after(0, 1000)
    await store.close()
    return found.map(({ msg_type, user_id, payload }) => ({ type: msg_type, user: user_id, ...JSON.parse(payload) }))
  }
  return { db, events }
}
