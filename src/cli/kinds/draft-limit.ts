import type { Client } from '../../client/client.ts'
import { template } from '../../contract/kinds/template.ts'
import { variation } from '../../contract/kinds/variation.ts'
import { limits } from '../../contract/limits.ts'
import { at } from '../../contract/schema/path.ts'
import { childRules } from '../../contract/vatom/child-policy.ts'
import { builtIn, type Section, sectionOf } from '../../contract/vatom/complete.ts'
import { shellWord } from '../io/text.ts'
import { isDraft, readRecord } from './requests.ts'

/** A variation, and how many vAtoms of it an emission makes at most. */
interface Needed {
  readonly record: Section
  readonly count: number
}

/** What can be done about an emission that drafts limit. */
interface Ways {
  /** Whether a smaller emission is possible. */
  readonly hasRoom: boolean
  /** Whether all that is to be emitted could be if the drafts were created again, without vAtoms. */
  readonly fitsAnew: boolean
  /**
   * The commands that publish the drafts which it has too few vAtoms of, each in its place: contents before what contains
   * them, a template before its variation. Empty if nothing of it is a draft. Spec 2.4, 3.
   */
  readonly commands: readonly string[]
}

/** How an emission of a variation gets possible that drafts limit. */
export async function waysAround(client: Client, name: string, num: number): Promise<Ways> {
  const drafts = (await neededFor(client, name, num)).filter(({ record }) => isDraft(record))
  // A service may not report how many were trashed, which count, too: perhaps none of the drafts looks full.
  const full = drafts.filter(({ record, count }) => count + vatomsOf(record) > limits.draftVatoms)
  const commands: string[] = []
  for (const { record } of full.length > 0 ? full : drafts) {
    const of = String(at(record, 'properties', 'template'))
    if (isDraft(await readRecord(client, template, of))) commands.push(`vatom template publish ${shellWord(of)}`)
    commands.push(`vatom variation publish ${shellWord(String(record.name))}`)
  }
  const hasRoom = full.every(({ record, count }) => count / num + vatomsOf(record) <= limits.draftVatoms)
  const fitsAnew = full.every(({ count }) => count <= limits.draftVatoms)
  return { hasRoom, fitsAnew, commands: [...new Set(commands)] }
}

const vatomsOf = (record: Section): number =>
  ['num_vatoms', 'num_trashed'].reduce((sum, field) => sum + Number(at(record, 'properties', field) ?? 0), 0)

/** The variations that an emission makes vAtoms of, contents first. */
async function neededFor(client: Client, name: string, num: number): Promise<readonly Needed[]> {
  const records = new Map<string, Promise<Section>>()
  const counts = new Map<string, number>()
  let left: number = limits.emit
  const add = async (one: string, count: number, around: readonly string[]): Promise<void> => {
    left -= count
    if (count === 0 || left < 0 || around.includes(one)) return
    const record = records.get(one) ?? readRecord(client, variation, one)
    records.set(one, record)
    const rules = childRules(builtIn(sectionOf(at(await record, 'properties', 'template_variation')))) ?? []
    for (const rule of rules) await add(rule.variation, count * rule.created.most, [...around, one])
    counts.set(one, (counts.get(one) ?? 0) + count)
  }
  await add(name, num, [])
  return Promise.all([...counts].map(async ([one, count]) => ({ record: sectionOf(await records.get(one)), count })))
}
