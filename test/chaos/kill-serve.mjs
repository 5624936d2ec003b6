import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { publishExample } from '../bench/publisher.mjs'
import { scratchFolder } from '../bench/vatom.mjs'
import { ask, callerOf, freshToken, integrityOf, namesIn, serve, sessionOf } from './serve.mjs'

const writers = 8
/** Milliseconds after which a service is killed at most. */
const longestLife = 400

/** The example and the publisher's session on a new database. */
async function prepared(db) {
  const { ready, stop } = await serve(db)
  const session = await sessionOf(ready)
  const call = callerOf(ready, session.access_token.token)
  const { variation } = await publishExample({ call })
  await stop()
  return { session, variation }
}

/** Writes one record after the other until the service is gone, and notes what was acknowledged. */
async function write(ready, token, { variation, acknowledged }, nextName) {
  for (;;) {
    const template = `local.vatom::Chaos${nextName()}::v1`
    const draft = { template, vatom: { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType', title: 'Chaos' } } }
    const created = await ask(ready, 'POST', '/v1/templates', { token, body: draft })
    if (created.status !== 200) throw new Error(`${created.status} ${JSON.stringify(created.body)}`)
    acknowledged.templates.push(template)
    const body = { template_variation: variation, num: 3 }
    const emitted = await ask(ready, 'POST', '/v1/vatoms', { token, body })
    if (emitted.status !== 200) throw new Error(`${emitted.status} ${JSON.stringify(emitted.body)}`)
    acknowledged.vatoms.push(...emitted.body.payload.ids)
  }
}

/** Kills `serve` again and again while eight clients write: everything acknowledged is there, and the file is sound. */
export async function killServe({ count, random, isOver }) {
  const db = path.join(scratchFolder(), 'kill.db')
  const { session, variation } = await prepared(db)
  const acknowledged = { templates: [], vatoms: [] }
  const faults = []
  let names = 0
  let kills = 0
  while (kills < count && !isOver()) {
    const { ready, stop } = await serve(db)
    const token = await freshToken(ready, session)
    const nextName = () => names++
    const writing = Promise.all(
      Array.from({ length: writers }, () => write(ready, token, { variation, acknowledged }, nextName)),
    ).catch((error) => {
      if (!isEnd(error)) faults.push(`a write was answered ${error.message}`)
    })
    await setTimeout(random() * longestLife)
    await stop('SIGKILL')
    await writing
    kills++
    if (kills % 25 === 0 || kills === count) faults.push(...lost(db, acknowledged))
  }
  faults.push(...lost(db, acknowledged))
  const total = acknowledged.templates.length + acknowledged.vatoms.length
  return { figures: `${kills} kills of serve, ${total} acknowledged records`, faults }
}

/** Whether a request failed because the service is gone. */
const isEnd = (error) => error instanceof TypeError

function lost(db, { templates, vatoms }) {
  const integrity = integrityOf(db)
  const [storedTemplates, storedVatoms] = [namesIn(db, 'templates', 'name'), namesIn(db, 'vatoms', 'id')]
  const missing = [
    ...templates.filter((name) => !storedTemplates.has(name)),
    ...vatoms.filter((id) => !storedVatoms.has(id)),
  ]
  return [
    ...(integrity === 'ok' ? [] : [`the integrity check finds ${integrity}`]),
    ...(missing.length === 0 ? [] : [`${missing.length} acknowledged records are lost, such as ${missing[0]}`]),
  ]
}
