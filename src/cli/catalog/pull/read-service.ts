import type { Client } from '../../../client/client.ts'
import type { Kind } from '../../../contract/kinds/kind.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { at } from '../../../contract/schema/path.ts'
import type { KindName } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { Context } from '../../context.ts'
import { exit, Failure } from '../../failure/failure.ts'
import { seeList } from '../../failure/hinted.ts'
import { progress } from '../../io/progress.ts'
import { allRecords, readRecord } from '../../kinds/requests.ts'
import { inParallel } from '../../service/in-parallel.ts'
import { wholeOf, wholeRecord } from '../plan/service-records.ts'

/** A template of the publisher, and all records that belong to it. */
export interface Family {
  readonly name: string
  /** By name; faces in order of registration, because viewers get the first of equal ones. */
  readonly records: Readonly<Record<KindName, readonly Section[]>>
}

/** The requested templates, by name, and the names of all templates of the publisher. */
export interface ReadFamilies {
  readonly families: readonly Family[]
  readonly names: readonly string[]
}

/** Reads what a publisher has, or only the `wanted` templates. Throws `not_found` for one that is not the publisher's. */
export async function readFamilies(
  client: Client,
  publisher: string,
  wanted: readonly string[],
  { host, output }: Context,
): Promise<ReadFamilies> {
  const [templates, variations] = await Promise.all([
    readAll(client, kindOf('template')),
    readAll(client, kindOf('variation')),
  ])
  const own = templates.filter((template) => at(template, 'properties', 'publisher_fqdn') === publisher)
  const byTemplate = groupBy(variations, (variation) => at(variation, 'properties', 'template'))
  const chosen = choose(own, wanted, publisher)
  const bar = await progress(output, host, chosen.length)
  try {
    const families = await inParallel(chosen, async (template) => {
      host.signal.throwIfAborted()
      const name = nameOf(template)
      bar.step(name)
      const [face, action] = await Promise.all([
        allRecords(client, kindOf('face'), { template: name }),
        allRecords(client, kindOf('action'), { template: name }),
      ])
      const variation = byTemplate.get(name) ?? []
      return { name, records: { template: [template], variation, face, action: byName(action) } }
    })
    return { families, names: own.map(nameOf) }
  } finally {
    bar.stop()
  }
}

/** The whole records of a list, by name; a record that the list has only in part is read by itself. */
async function readAll(client: Client, kind: Kind): Promise<Section[]> {
  const listed = await allRecords(client, kind, { fields: wholeRecord })
  const isWhole = wholeOf(kind)
  return byName(await inParallel(listed, async (one) => (isWhole(one) ? one : readRecord(client, kind, nameOf(one)))))
}

const nameOf = ({ name }: Section) => String(name)

const byName = (records: readonly Section[]): Section[] => [...records].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))

function choose(templates: readonly Section[], wanted: readonly string[], publisher: string): readonly Section[] {
  if (wanted.length === 0) return templates
  const names = templates.map(nameOf)
  const missing = wanted.find((name) => !names.includes(name))
  if (missing === undefined) return templates.filter((template) => wanted.includes(nameOf(template)))
  throw new Failure('not_found', exit.refused, `No template of yours is named ${missing}`, {
    hint: missing.startsWith(`${publisher}::`)
      ? seeList('template list')
      : `yours begin with ${publisher}::; to pull another publisher's, sign in as an administrator of it: vatom login --context NAME`,
  })
}
