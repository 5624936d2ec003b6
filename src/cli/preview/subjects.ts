import { isExampleAddress, isImageType } from '../../contract/placeholder.ts'
import { type PreviewFace, type PreviewSubject, previewPaths } from '../../contract/preview.ts'
import { addressesIn } from '../../contract/rules/addresses.ts'
import { at, listAt } from '../../contract/schema/path.ts'
import { vatomTypeKey } from '../../contract/values.ts'
import { completeVatom, sectionOf } from '../../contract/vatom/complete.ts'
import { resolveVatom } from '../../contract/vatom/overlay.ts'
import type { LoadedDocument } from '../../documents/load/loaded.ts'
import { isLocal, type LocalFiles } from './local-files.ts'

/** Gets the files that documents name. */
interface Named {
  readonly files: LocalFiles
  /** The path of a document's file. */
  readonly pathOf: (file: string) => string
}

/** What a preview of valid documents shows: each variation, and each template that has none. */
export function subjectsOf(documents: readonly LoadedDocument[], named: Named): PreviewSubject[] {
  const of = (kind: string) => documents.filter((document) => document.kind === kind)
  const variations = of('variation')
  return of('template').flatMap((template) => {
    const faces = of('face').filter(({ value }) => value.template === template.name)
    const own = variations.filter(({ value }) => value.template === template.name)
    return (own.length > 0 ? own : [undefined]).map((variation) => subjectOf({ template, variation, faces }, named))
  })
}

interface Parts {
  readonly template: LoadedDocument
  readonly variation: LoadedDocument | undefined
  readonly faces: readonly LoadedDocument[]
}

function subjectOf({ template, variation, faces }: Parts, named: Named): PreviewSubject {
  const { kind, name, file } = variation ?? template
  const vatom = newVatom(template, variation)
  const notes = new Set<string>()
  const typeOf = (resource: string): string | undefined => {
    const type = at(
      listAt(vatom, vatomTypeKey, 'resources').find((entry) => at(entry, 'name') === resource),
      'resourceType',
    )
    return typeof type === 'string' ? type : undefined
  }
  return {
    kind: kind === 'variation' ? 'variation' : 'template',
    name,
    template: template.name,
    title: String(at(vatom, vatomTypeKey, 'title') ?? name),
    file,
    vatom,
    faces: faces.map(faceIn),
    children: listAt(vatom, vatomTypeKey, 'child_policy').map((entry) => String(at(entry, 'template_variation'))),
    // The addresses of a variation are its own: those of equal names in its template are not shown.
    addresses: Object.fromEntries(
      [template, ...(variation ? [variation] : []), ...faces].flatMap((document) =>
        addressesOf(document, { ...named, typeOf, notes }),
      ),
    ),
    notes: [...notes],
  }
}

/** The vAtom that an emission gives, as far as faces can read it. */
function newVatom(template: LoadedDocument, variation: LoadedDocument | undefined): PreviewSubject['vatom'] {
  const vatom = completeVatom(resolveVatom(sectionOf(template.value.vatom), sectionOf(variation?.value.vatom)))
  return {
    id: '00000000-0000-4000-8000-000000000000',
    version: 'v1::vAtomType',
    ...vatom,
    [vatomTypeKey]: {
      ...sectionOf(vatom[vatomTypeKey]),
      parent_id: '.',
      publisher_fqdn: template.name.split('::')[0],
      owner: '00000000-0000-4000-8000-000000000001',
      author: '00000000-0000-4000-8000-000000000001',
      template: template.name,
      template_variation: variation?.name ?? '',
      cloned_from: '',
      cloning_score: 0,
      num_direct_clones: 0,
      tags: [],
      disabled: false,
      dropped: false,
      in_contract: false,
    },
  }
}

function faceIn({ file, value, locate }: LoadedDocument): PreviewFace {
  const line = locate(['template'])?.line
  return { place: line === undefined ? file : `${file}:${line}`, document: value }
}

/**
 * The address of a placeholder for what a document loads from an example address; undefined for other addresses. Only
 * images and web faces have one: anything else cannot be loaded there either.
 */
export function placeholderOf(url: string, name: string, type = 'ResourceType::Image::SVG'): string | undefined {
  if (!isExampleAddress(url)) return undefined
  return isImageType(type) ? `${previewPaths.placeholders}${encodeURIComponent(name)}` : `${previewPaths.files}none`
}

interface Addressed extends Named {
  /** The type of a resource, which a variation leaves out. */
  readonly typeOf: (name: string) => string | undefined
  readonly notes: Set<string>
}

/** What the page loads instead of the addresses of a document: local files, and placeholders for example addresses. */
function addressesOf(document: LoadedDocument, { pathOf, files, typeOf, notes }: Addressed): [string, string][] {
  return addressesIn(document.value).flatMap(({ url, resource, path }): [string, string][] => {
    if (typeof url !== 'string' || (resource === undefined && path[0] !== 'display_url')) return []
    const name = String(at(resource, 'name') ?? 'Web face')
    const placeholder = placeholderOf(url, name, resource === undefined ? undefined : typeOf(name))
    if (placeholder !== undefined) {
      notes.add('Addresses at example.com have no content: images there are drawn as placeholders')
      return [[url, placeholder]]
    }
    if (resource === undefined || !isLocal(url)) return []
    const added = files.add(url, pathOf(document.file))
    if ('address' in added) return [[url, added.address]]
    notes.add(`${name}: ${added.why}`)
    return []
  })
}
