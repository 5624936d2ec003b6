import { Buffer } from 'node:buffer'
import { basename, dirname, join, relative } from 'node:path'
import { kindOf } from '../../../contract/kinds/kinds.ts'
import { limits } from '../../../contract/limits.ts'
import { yamlText } from '../../../documents/edit/yaml-text.ts'
import { placeholdDocument } from '../../../documents/load/expand.ts'
import type { ReadFile } from '../../../documents/load/read-file.ts'
import { isJson } from '../../../documents/yaml/source.ts'
import { editorLine, editorMark } from '../../kinds/editor.ts'
import { versionOf } from '../versions.ts'
import type { Pulled } from './documents.ts'
import { type Existing, type Folder, folderOf } from './existing-catalog.ts'

export interface Writing extends Folder {
  /** Whether names keep the publisher's domain name. */
  readonly keepPublisher: boolean
  /** The beginning of the file names for each template. */
  readonly bases: ReadonlyMap<string, string>
  readonly documents: readonly Existing[]
  /** Whether a file of a name is there and may not be replaced. */
  readonly isTaken: (file: string) => boolean
}

/** Documents that no file has, in the file that gets them: a new one, or one of the catalog. */
export interface Addition {
  /** As messages name it. */
  readonly file: string
  readonly pulled: readonly Pulled[]
  readonly text: string
  /** Whether the text goes behind that of the file. */
  readonly isAppended: boolean
}

/** Where the new documents of one template and kind go: to the others, or to where the catalog has such files. */
export function additionsOf(pulled: readonly Pulled[], writing: Writing): Addition[] {
  const [first] = pulled
  if (first === undefined) return []
  const layout = `${writing.bases.get(first.template) ?? ''}${kindOf(first.kind).fileEnding}`
  const siblings = writing.documents.filter((one) => one.kind === first.kind && one.template === first.template)
  const shared = siblings.map(({ file }) => file).findLast((file) => isShared(file, layout))
  const home = shared ? folderOf(shared.source.file) : homeOf(first, siblings.at(-1), writing)
  const names = freeNames(first, home, writing)
  return filled(pulled, shared, (one) => textOf(one, { home, shared }, writing)).map(({ into, ...file }) => ({
    ...file,
    file: into ? into.source.file : names(),
    isAppended: into !== undefined,
  }))
}

/** Whether a file of a catalog takes more documents of its kind: it has several, or is the one that pull would write. */
const isShared = ({ source, candidates }: ReadFile, layout: string) =>
  !isJson(source.file) && (candidates.length > 1 || basename(source.file).startsWith(`${layout}.`))

/**
 * Names of files that are not taken: `coupon.yaml`, then `coupon.2.yaml`; where `coupon.yaml` is of another template, such
 * as the next version, `coupon.v1.yaml`. They end as the other files of the catalog do.
 */
function freeNames({ kind, template }: Pulled, home: string, { isTaken, bases, documents }: Writing): () => string {
  const ofFiles = (ending: string) => documents.some(({ file }) => file.source.file.endsWith(ending))
  const ending = ofFiles('.yml') && !ofFiles('.yaml') ? '.yml' : '.yaml'
  const named = (base: string, count: string) => join(home, `${base}${kindOf(kind).fileEnding}${count}${ending}`)
  const base = bases.get(template) ?? ''
  const version = `.v${versionOf(template).version}`
  const there = documents.filter(({ file }) => file.source.file === named(base, ''))
  const isOthers = there.some((one) => one.template !== template && one.template !== '')
  const free = isOthers && !base.endsWith(version) ? `${base}${version}` : base
  let count = 0
  const next = () => named(free, ++count === 1 ? '' : `.${count}`)
  return () => {
    for (let name = next(); ; name = next()) if (!isTaken(name)) return name
  }
}

/** The folder for documents of which the catalog has none of the same template and kind. */
function homeOf({ kind, template }: Pulled, sibling: Existing | undefined, { dir, bases, documents }: Writing): string {
  if (sibling) return folderOf(sibling.file.source.file)
  const templates = documents.filter((one) => one.kind === 'template')
  const folderOfTemplate = (name: string) => {
    const own = templates.find((one) => one.template === name)
    return own && folderOf(own.file.source.file)
  }
  const apart = documents.findLast(
    (one) => one.kind === kind && folderOf(one.file.source.file) !== folderOfTemplate(one.template),
  )
  if (kind !== 'template' && apart) return folderOf(apart.file.source.file)
  const own = folderOfTemplate(template)
  const other = templates.at(-1)
  if (own !== undefined || other === undefined) return own ?? dir
  const last = folderOf(other.file.source.file)
  const isTemplates = basename(last) === bases.get(other.template) && relative(dir, last) !== ''
  return isTemplates ? join(dirname(last), bases.get(template) ?? '') : last
}

/** Largest size of a file in bytes: half of the limit for reading, so that there is room for edits. */
const roomy = limits.file / 2

/** Documents in as few files as possible; the first of them may be one that is there. */
function filled(pulled: readonly Pulled[], into: ReadFile | undefined, write: (one: Pulled) => string) {
  const files: { into?: ReadFile; pulled: Pulled[]; text: string }[] = into ? [{ into, pulled: [], text: '' }] : []
  let bytes = into ? Buffer.byteLength(into.source.text) : roomy
  for (const one of pulled) {
    const text = write(one)
    const size = Buffer.byteLength(text)
    if (bytes + size > roomy) {
      files.push({ pulled: [], text: '' })
      bytes = 0
    }
    bytes += size
    const last = files.at(-1)
    if (last === undefined) continue
    last.text += last.text === '' ? text : `---\n${text}`
    last.pulled.push(one)
  }
  return files.filter((file) => file.pulled.length > 0)
}

interface Home {
  readonly home: string
  readonly shared: ReadFile | undefined
}

/** The text of a document; with the line for editors, unless the file has none. */
function textOf(
  { kind, document }: Pulled,
  { home, shared }: Home,
  { dir, publisher, keepPublisher }: Writing,
): string {
  const text = yamlText(keepPublisher ? document : placeholdDocument(kind, document, publisher))
  if (shared && !shared.source.text.includes(editorMark)) return text
  const levels = relative(dir, home).split(/[\\/]/).filter(Boolean).length
  return `${editorLine(kind, levels)}\n${text}`
}
