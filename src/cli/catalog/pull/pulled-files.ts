import type { Difference } from '../../../contract/kinds/changes.ts'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { kinds } from '../../../contract/values.ts'
import { revisedFile } from '../../../documents/edit/revise-file.ts'
import { withBreaksOf } from '../../../documents/edit/yaml-text.ts'
import { documentsOf, type Pulled } from './documents.ts'
import {
  type Existing,
  type ExistingCatalog,
  isTaken,
  type Replacing,
  refuseOutside,
  textAt,
} from './existing-catalog.ts'
import { fileNames } from './file-names.ts'
import { type Addition, additionsOf } from './new-files.ts'
import type { LeftOut, Owning } from './other-catalogs.ts'
import type { ReadFamilies } from './read-service.ts'
import { type Update, updateOf } from './updates.ts'

/** A document of a catalog after a pull. */
export interface PulledDocument extends Pick<Existing, 'kind' | 'name' | 'key' | 'template'> {
  readonly file: string
  readonly status: 'created' | 'updated' | 'unchanged' | 'left' | 'not_on_service'
  /** Whether it is new, of a template that no file names and no catalog with a name owns. */
  readonly isUnowned: boolean
  /** The other catalog that owns its record; undefined if none with a name is known to. */
  readonly catalog?: string | undefined
  readonly changes: readonly Difference[]
}

/** A file that a pull writes. */
export interface PulledFile {
  readonly file: string
  /** Undefined for a new file. */
  readonly before: string | undefined
  readonly after: string
  /** Whether comments of documents are lost. */
  readonly isRewritten: boolean
}

export interface PulledCatalog {
  readonly documents: readonly PulledDocument[]
  readonly files: readonly PulledFile[]
  /** Documents of a catalog that another one describes, too. */
  readonly duplicates: readonly { readonly first: Existing; readonly other: Existing }[]
  readonly leftOut: readonly LeftOut[]
}

export interface PullWriting extends Replacing {
  readonly keepPublisher: boolean
  /** Whether only some templates were read. */
  readonly isNarrowed: boolean
  /** What no file has and another catalog owns is left out. */
  readonly owning: Owning
  /** Keys of records that are left as the files have them, or out of them. */
  readonly left: ReadonlySet<string>
}

/** What a catalog becomes so that it says what the service has. */
export function pulledCatalog(read: ReadFamilies, { documents }: ExistingCatalog, writing: PullWriting): PulledCatalog {
  const groups = read.families.flatMap((family) => kinds.map((kind) => documentsOf(family, kind, writing.publisher)))
  const pulled = groups.flat()
  const byKey = groupBy(documents, ({ key }) => key)
  const revised = pulled.flatMap((one): Revised[] => {
    const [existing] = byKey.get(one.key) ?? []
    return existing ? [{ pulled: one, existing, update: updateOf(existing, one, writing.publisher) }] : []
  })
  const bases = fileNames(read.names)
  const { owning, left } = writing
  const isNew = ({ key }: Pulled) => !byKey.has(key)
  const isLeftOut = (one: Pulled) => owning.leavesOut && owning.otherOf(one) !== undefined
  const inFiles = new Set(documents.map(({ template }) => template))
  const isUnowned = (one: Pulled) => documents.length > 0 && !inFiles.has(one.template) && owning.isUnowned(one)
  const additions = groups
    .map((group) => group.filter((one) => isNew(one) && !left.has(one.key) && !isLeftOut(one)))
    .flatMap((group) => additionsOf(group, { ...writing, bases, documents, isTaken: (file) => isTaken(file, writing) }))
  const known = new Set(pulled.map(({ key }) => key))
  const isAsked = ({ template }: Existing) => !writing.isNarrowed || read.families.some(({ name }) => name === template)
  return {
    documents: [
      ...revised.map(({ pulled, existing, update }) => ({
        ...rowOf(existing, existing.file.source.file, statusOf(existing, update, left), update?.differences),
        catalog: owning.otherOf(pulled),
      })),
      ...additions.flatMap((one) =>
        one.pulled.map((added) => ({
          ...rowOf(added, one.file, 'created'),
          isUnowned: isUnowned(added),
          catalog: owning.otherOf(added),
        })),
      ),
      ...documents
        .filter((one) => one.name !== '' && !known.has(one.key) && isAsked(one))
        .map((one) => rowOf(one, one.file.source.file, 'not_on_service')),
    ],
    files: filesOf(
      revised.filter(({ existing }) => !left.has(existing.key)),
      additions,
      writing,
    ),
    leftOut: pulled.filter(isNew).flatMap((one): LeftOut[] => {
      const catalog = owning.leavesOut ? owning.otherOf(one) : undefined
      return catalog === undefined ? [] : [{ kind: one.kind, name: one.name, catalog, isAround: owning.isAround(one) }]
    }),
    duplicates: pulled.flatMap(({ key }) => {
      const [first, ...others] = byKey.get(key) ?? []
      return first ? others.map((other) => ({ first, other })) : []
    }),
  }
}

/** A document that has a record on the service. */
interface Revised {
  readonly pulled: Pulled
  readonly existing: Existing
  readonly update: Update | undefined
}

const statusOf = ({ key }: Existing, update: Update | undefined, left: ReadonlySet<string>) =>
  update === undefined ? 'unchanged' : left.has(key) ? 'left' : 'updated'

const rowOf = (
  { kind, name, key, template }: Pick<Existing, 'kind' | 'name' | 'key' | 'template'>,
  file: string,
  status: PulledDocument['status'],
  changes: readonly Difference[] = [],
): PulledDocument => ({ kind, name, key, template, file, status, changes, isUnowned: false })

/** The files that change, each with all its changes. */
function filesOf(revised: readonly Revised[], additions: readonly Addition[], folder: Replacing): PulledFile[] {
  const updated = revised.filter(({ update }) => update !== undefined)
  const files = new Map<string, PulledFile>()
  for (const [file, some] of groupBy(updated, ({ existing }) => existing.file)) {
    const { text, isRewritten } = revisedFile(
      file,
      new Map(some.map(({ existing, update }) => [existing.index, update?.value])),
    )
    const { file: name, text: before } = file.source
    refuseOutside(name, folder)
    files.set(name, { file: name, before, after: text, isRewritten })
  }
  for (const { file, text, isAppended } of additions) {
    // A new file replaces nothing that has come since its name was found free.
    const before = isAppended || folder.replaced.has(file) ? textAt(file, folder) : undefined
    const known = files.get(file) ?? { file, before, after: isAppended ? (before ?? '') : '', isRewritten: false }
    files.set(file, { ...known, after: appended(known.after, text) })
  }
  return [...files.values()]
}

/** A text with another document behind it, with the line breaks that it has. */
function appended(text: string, document: string): string {
  const separator = text === '' ? '' : `${/\n$/.test(text) ? '' : '\n'}---\n`
  return text + withBreaksOf(text, separator + document)
}
