import type { Problem } from '../../documents/load/loaded.ts'
import type { Catalogs } from './catalog-names.ts'
import { isRecordKey, type Owners } from './owners.ts'

interface Run {
  readonly files: readonly string[]
  readonly catalogs: Catalogs
  /** The domain name that the run is for. */
  readonly publisher: string
  /** What this machine has recorded of the service. */
  readonly known: Owners
}

/** Warns of catalogs that this machine has applied on the service for other publishers, and not for the one of a run. */
export function appliedForOthers({ files, catalogs, publisher, known }: Run): Problem[] {
  const given = new Map(
    files.flatMap((file) => (catalogs[file] === undefined ? [] : [[catalogs[file], file] as const])),
  )
  return [...given].flatMap(([catalog, file]) => {
    const publishers = new Set(publishersOf(catalog, known))
    return publishers.size === 0 || publishers.has(publisher) ? [] : [ofOthers(file, [...publishers], publisher)]
  })
}

/** The publishers whose records a catalog owns: the names of records, and of faces' templates, begin with them. */
const publishersOf = (catalog: string, known: Owners): string[] =>
  Object.entries(known).flatMap(([key, owner]) => {
    const [, publisher] = /^\S+ ([^:]+)::/.exec(key) ?? []
    return owner === catalog && isRecordKey(key) && publisher !== undefined ? [publisher] : []
  })

const ofOthers = (file: string, publishers: readonly string[], publisher: string): Problem => ({
  file,
  rule: 'catalog-publisher',
  severity: 'warning',
  path: '',
  message: `this catalog was applied on this service for ${publishers.join(' and ')}, and this run is for ${publisher}, for which it makes records of its own`,
  hint: `if it is for ${publishers.join(' or ')}, choose a context of that with --context; to see which there are: vatom context list`,
})
