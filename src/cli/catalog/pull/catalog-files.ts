import { Buffer } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import { Document, visit } from 'yaml'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { limits } from '../../../contract/limits.ts'
import { kinds } from '../../../contract/values.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { placeholdDocument } from '../../../documents/load/expand.ts'
import { readFile } from '../../../documents/load/read-file.ts'
import { editorLine } from '../../kinds/editor.ts'
import { documentsOf, type Pulled } from './documents.ts'
import { fileNames } from './file-names.ts'
import type { ReadFamilies } from './read-service.ts'

/** A file of a catalog. */
export interface CatalogFile {
  /** Below the folder of the catalog. */
  readonly name: string
  readonly documents: readonly Pulled[]
  readonly text: string
}

export interface Writing {
  readonly publisher: string
  /** Whether names keep the publisher's domain name. */
  readonly keepPublisher: boolean
}

/** The files that hold all documents of families, in their order. */
export function catalogFiles({ families, names }: ReadFamilies, writing: Writing): CatalogFile[] {
  const bases = fileNames(names)
  return families.flatMap((family) => {
    const base = bases.get(family.name) ?? ''
    return kinds.flatMap((kind) =>
      filesOf(base + kindOf(kind).fileEnding, documentsOf(family, kind, writing.publisher), writing),
    )
  })
}

/** Largest size of a file in bytes: half of the limit for reading, so that there is room for edits. */
const roomy = limits.file / 2

/** Documents in as few files as possible. */
function filesOf(base: string, documents: readonly Pulled[], writing: Writing): CatalogFile[] {
  const files: { documents: Pulled[]; texts: string[]; bytes: number }[] = []
  for (const one of documents) {
    const text = textOf(one, writing)
    const bytes = Buffer.byteLength(text)
    const last = files.at(-1)
    if (last === undefined || last.bytes + bytes > roomy) files.push({ documents: [one], texts: [text], bytes })
    else {
      last.documents.push(one)
      last.texts.push(text)
      last.bytes += bytes
    }
  }
  return files.map(({ documents, texts }, index) => ({
    name: `${base}${index === 0 ? '' : `.${index + 1}`}.yaml`,
    documents,
    text: texts.join('---\n'),
  }))
}

function textOf({ kind, document }: Pulled, { publisher, keepPublisher }: Writing): string {
  const named = keepPublisher ? document : placeholdDocument(kind, document, publisher)
  return `${editorLine(kind)}\n${yamlText(named)}`
}

/** A value as YAML that is parsed to the same value. */
function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, scalar) => {
      // Without quotes it would be a merge key.
      if (scalar.value === '<<') scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0 })
}

/** Whether a text has the documents of a file; comments, layout and explicit defaults make no difference. */
export function saysTheSame(text: string, { name, documents }: CatalogFile, publisher: string): boolean {
  const input = { file: name, named: true }
  const { candidates, problems } = readFile(input, Buffer.from(text), { noun: 'template', publisher })
  if (problems.length > 0 || candidates.length !== documents.length) return false
  if (!candidates.every(({ raw }) => raw.sound && raw.findings.every(({ severity }) => severity === 'warning')))
    return false
  const said = candidates.map(({ kind, name, value }) => ({
    kind,
    name,
    document: kindOf(kind).minimal(sectionOf(value), publisher),
  }))
  return isDeepStrictEqual(inOrder(said).map(plain), inOrder(documents).map(plain))
}

/** Sorted by kind and name; faces stay in their order. */
const inOrder = (documents: readonly Pulled[]): Pulled[] =>
  [...documents].sort((a, b) => compare(a.kind, b.kind) || (kindOf(a.kind).key === 'id' ? 0 : compare(a.name, b.name)))
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Plain values, without classes and prototypes, to compare them. */
const plain = ({ kind, document }: Pulled): Section => ({ kind, document: JSON.parse(JSON.stringify(document)) })
