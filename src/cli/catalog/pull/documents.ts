import { identityOf } from '../../../contract/kinds/face.ts'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { groupBy } from '../../../contract/schema/group-by.ts'
import { at, isObject } from '../../../contract/schema/path.ts'
import { type KindName, vatomTypeKey } from '../../../contract/values.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { documentable } from '../../../contract/vatom/section.ts'
import type { Context } from '../../context.ts'
import { shellWord, styled } from '../../io/text.ts'
import { identityIn, type OwnedRecord } from '../owners.ts'
import type { Family } from './read-service.ts'

/** The document of a record. */
export interface Pulled {
  readonly kind: KindName
  readonly name: string
  readonly template: string
  /** What identifies the record. */
  readonly key: string
  /** What says who owns it. */
  readonly owned: OwnedRecord
  /** As it is sent, without values that equal their default. */
  readonly document: Section
}

/** The documents of a family's records of one kind. */
export const documentsOf = ({ name: template, records }: Family, kind: KindName, publisher: string): Pulled[] =>
  records[kind].map((record) => {
    const { documentOf, minimal, nameOf } = kindOf(kind)
    const document = documentOf(record)
    const owned = identityIn(kind, record)
    const { ownKey: key } = owned
    return { kind, name: nameOf(document), template, key, owned, document: known(minimal(document, publisher)) }
  })

/** A document without built-in properties that this version does not know. */
function known(document: Section): Section {
  const vatom = sectionOf(document.vatom)
  return isObject(vatom[vatomTypeKey]) ? { ...document, vatom: documentable(vatom) } : document
}

/**
 * A family with at most one face for the same viewers, as a catalog needs it: the first, which viewers get. Warns of
 * the others. Spec 4.5.
 */
export function withoutDuplicateFaces(family: Family, { output }: Pick<Context, 'output'>): Family {
  const viewersOf = (face: Section) => identityOf(kindOf('face').documentOf(face)).join(', ')
  const described = (face: Section | undefined) => `${face?.id} (${at(face, 'properties', 'display_url')})`
  const byViewers = groupBy(family.records.face, viewersOf)
  for (const [viewers, [first, ...others]] of byViewers) {
    if (others.length === 0) continue
    const ids = others.map(({ id }) => shellWord(String(id))).join(' ')
    output.warn(
      styled`${family.name} has ${others.length + 1} faces for ${viewers}; only the first, ${described(first)}, is written, because viewers pick it; the others are ${others.map(described).join(', ')}; to delete them: ${output.hint(`vatom face delete ${ids}, or vatom apply --prune`)}`,
    )
  }
  return {
    ...family,
    records: { ...family.records, face: [...byViewers.values()].flatMap((faces) => faces.slice(0, 1)) },
  }
}
