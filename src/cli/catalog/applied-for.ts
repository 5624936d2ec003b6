import type { Problem } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { namesOf } from '../service/running.ts'
import { isElsewhere } from '../service/target.ts'
import type { Catalogs } from './catalog-names.ts'
import { isRecordKey, type Owners, ownersAt } from './owners.ts'

interface Run {
  readonly files: readonly string[]
  readonly catalogs: Catalogs
  /** The domain name that the run is for. */
  readonly publisher: string
}

/**
 * Warns of catalogs that this machine has applied on the service for other publishers, and not for the one of a run. What
 * it knows of a temporary service may be of an earlier one at the same address.
 */
export async function appliedForOthers({ files, catalogs, publisher }: Run, context: Context): Promise<Problem[]> {
  const services = namesOf(await context.target(), context.dirs)
  const known = await Promise.all(
    services.map(async (service) => ({ service, owners: await ownersAt(service, context.dirs).read() })),
  )
  const given = new Map(
    files.flatMap((file) => (catalogs[file] === undefined ? [] : [[catalogs[file], file] as const])),
  )
  const found = [...given].flatMap(([catalog, file]) => {
    const applied = known.flatMap(({ service, owners }) =>
      publishersOf(catalog, owners).map((name) => ({ service, name })),
    )
    const [first] = applied
    const publishers = new Set(applied.map(({ name }) => name))
    return first === undefined || publishers.has(publisher)
      ? []
      : [ofOthers(file, { catalog, publishers: [...publishers], publisher, service: first.service })]
  })
  return found.length > 0 && (await isTemporary(context)) ? [] : found
}

/** Whether the service of a run is a temporary one of this machine, as far as it says so. */
async function isTemporary(context: Context): Promise<boolean> {
  const target = await context.target()
  if (target.kind === 'local' || isElsewhere(target)) return false
  const { natureOf } = await import('../service/temporary.ts')
  const { raw } = await context.connect()
  // A gateway may not pass that request on, which only a warning needs.
  return (await natureOf(raw).catch(() => undefined)) === 'temporary'
}

/** The publishers whose records a catalog owns: the names of records, and of faces' templates, begin with them. */
const publishersOf = (catalog: string, known: Owners): string[] =>
  Object.entries(known).flatMap(([key, owner]) => {
    const [, publisher] = /^\S+ ([^:]+)::/.exec(key) ?? []
    return owner === catalog && isRecordKey(key) && publisher !== undefined ? [publisher] : []
  })

/** For whom a catalog was applied on a service, and for whom a run is. */
interface Applied {
  readonly catalog: string
  readonly publishers: readonly string[]
  readonly publisher: string
  readonly service: string
}

const ofOthers = (file: string, { catalog, publishers, publisher, service }: Applied): Problem => ({
  file,
  rule: 'catalog-publisher',
  severity: 'warning',
  path: '',
  message: `the catalog ${catalog} was applied on ${service} for ${publishers.join(' and ')}, and this run is for ${publisher}, for which it makes records of its own`,
  hint: `if it is for ${publishers.join(' or ')}, choose a context of that with --context; to see which there are: vatom context list`,
})
