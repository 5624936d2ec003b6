import { fileURLToPath } from 'node:url'
import { besideKinds } from './beside-attacker.mjs'
import { optionsOf } from './bounds.mjs'
import { crowdedWorld } from './crowded-world.mjs'
import { callerOf } from './serve.mjs'

const client = fileURLToPath(new URL('resetting.mjs', import.meta.url))
/** A page of so many vAtoms of a template. */
const pageOf = (template) => ({
  method: 'POST',
  path: '/v1/vatom/discover',
  body: { scope: { key: 'vAtom::vAtomType.template', value: template }, return: { type: '*' }, limit: 500 },
})

/** What is sent on the connections: half a request, several with long headers, an upload that is not all there. */
const kinds = ['half', 'requests', 'upload']

/**
 * Connections without an account that send something, are reset before it is answered and opened again. The figures are how
 * long another user waits for a page of 500 vAtoms, in the middle and at most, and the memory of the service.
 * `--connections` at a time, `--seconds` for each kind.
 */
export async function run(args) {
  const { connections, seconds } = optionsOf(args, { connections: 30, seconds: 10 })
  const { db, template, other } = await crowdedWorld({ count: 1000 })
  const { method, path, body } = pageOf(template)
  const ask = (ready) => callerOf(ready, other.access_token.token)(method, path, body)
  const { held, figures } = await besideKinds(kinds, { db, client, ask, connections, seconds })
  return {
    held,
    figures: `${connections} connections at a time were reset, the other waited in the middle for a page, ${figures}`,
  }
}
