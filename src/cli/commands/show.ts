import { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { VatomsPage } from '../../contract/api/vatom.ts'
import { at } from '../../contract/schema/path.ts'
import { actionInfix, vatomTypeKey } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { exit, Failure } from '../failure/failure.ts'
import { seeList } from '../failure/hinted.ts'
import type { Line } from '../io/text.ts'
import { merged } from '../service/every-page.ts'
import { givenIds } from '../vatoms/given-ids.ts'
import { idLists, idsHelp, vatomIds } from '../vatoms/vatom-id.ts'

export const command = (context: Context): Command =>
  new Command('show')
    .description(
      'Show vAtoms as YAML, each with its faces and actions: yours, and public ones. With --json, the records as the service returns them. A terminal that shows pictures shows one vAtom also as viewers draw it: its engaged face, or its icon.',
    )
    .argument('<id...>', idsHelp)
    .option('--no-picture', 'show no picture')
    .addHelpText('after', '\nExample:\n  vatom show ID')
    .action((ids: string[], options: ShowOptions) => show(ids, options, context))

interface ShowOptions {
  readonly picture: boolean
}

/** Shows the vAtoms that exist; a missing one is a failure, reported after them, or under --json instead of them. */
async function show(given: readonly string[], { picture }: ShowOptions, context: Context): Promise<void> {
  const { output, host } = context
  const isPictured = picture && given.length === 1 && output.isTTY && !output.json
  // The terminal is asked while the service answers.
  const asked = isPictured ? import('../pictures/terminal.ts').then((found) => found.pictureTerminal(host)) : undefined
  const { client } = await context.connect()
  const ids = await vatomIds(await givenIds(given, context), client)
  const found = await vatomsOf(client, ids)
  const existing = new Set(found.vatoms.map(({ id }) => id))
  const missing = ids.filter((id) => !existing.has(id))
  const yaml = await documents(found)
  const terminal = await asked
  if (missing.length === 0 || !output.json) await output.listing(found, () => yaml)
  const [vatom] = found.vatoms
  if (terminal && vatom) {
    const { vatomPicture } = await import('../pictures/vatom-picture.ts')
    const { waitFor } = await import('../io/progress.ts')
    const text = await waitFor(
      vatomPicture({ vatom, faces: found.faces }, terminal, context),
      'the picture',
      output,
      host,
    )
    if (text) host.stdout.write(text)
  }
  if (missing.length > 0) throw await unknown(missing)
}

/** VAtoms by their ids, in as few requests as the limit allows. */
async function vatomsOf(client: Client, ids: readonly string[]): Promise<VatomsPage> {
  const pages: VatomsPage[] = []
  for (const some of idLists(ids)) pages.push(await client.getVatoms({ body: { ids: some } }))
  return merged(pages)
}

/** A YAML document for each vAtom. */
async function documents({ vatoms, faces, actions }: VatomsPage): Promise<Line[]> {
  const { yamlLines } = await import('../io/yaml.ts')
  return vatoms.flatMap((vatom, index) => {
    const template = at(vatom, vatomTypeKey, 'template')
    const document = {
      ...vatom,
      faces: faces.filter((face) => at(face, 'template') === template),
      actions: actions.filter(({ name }) => String(name).startsWith(`${template}${actionInfix}`)),
    }
    return [...(index === 0 ? [] : ['---']), ...yamlLines(document)]
  })
}

async function unknown(missing: readonly string[]): Promise<Failure> {
  const { nameList } = await import('../../contract/schema/suggest.ts')
  const message = `No vAtom that you can see has the ${missing.length === 1 ? 'id' : 'ids'} ${nameList(missing)}`
  const issues = missing.map((id) => ({ path: id, message: 'does not exist, or is neither yours nor public' }))
  return new Failure('unknown_vatom', exit.refused, message, { hint: seeList('inventory'), issues })
}
