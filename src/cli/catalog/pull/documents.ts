import { ActionDocument } from '../../../contract/kinds/action-schemas.ts'
import { identityOf } from '../../../contract/kinds/face-identity.ts'
import type { FaceRecord } from '../../../contract/kinds/face-schemas.ts'
import { lazy } from '../../../contract/schema/lazy.ts'
import { at, isObject } from '../../../contract/schema/path.ts'
import { type Kind, vatomTypeKey } from '../../../contract/values.ts'
import { type Section, sectionOf } from '../../../contract/vatom/complete.ts'
import { VatomSection } from '../../../contract/vatom/section.ts'
import { nameOf } from '../../../documents/load/kind-of.ts'
import { minimalDocument } from '../../../documents/minimal.ts'
import type { Context } from '../../context.ts'
import { styled } from '../../io/text.ts'
import { actionDocument, templateDocument, variationDocument } from '../../kinds/record.ts'
import type { Family } from './read-service.ts'

/** A record as the document that makes it. */
export interface Pulled {
  readonly kind: Kind
  readonly name: string
  /** As it is sent, what equals its default left out. */
  readonly document: Section
}

/** The documents of each kind that make a family of records. */
export function documentsOf(
  { template, variations, faces, actions }: Family,
  publisher: string,
): Readonly<Record<Kind, readonly Pulled[]>> {
  const fields = Object.keys(ActionDocument().shape)
  const pulled = (kind: Kind, documents: readonly Section[]) =>
    documents.map((document) => ({
      kind,
      name: nameOf(kind, document),
      document: known(minimalDocument(kind, document, publisher)),
    }))
  return {
    template: pulled('template', [templateDocument(template)]),
    variation: pulled('variation', variations.map(variationDocument)),
    face: pulled('face', faces.map(faceDocument)),
    action: pulled(
      'action',
      actions.map((record) => nameFirst(actionDocument(record, fields))),
    ),
  }
}

const nameFirst = ({ name, ...action }: Section): Section => ({ name, ...action })

const builtIn = lazy(() => Object.keys(VatomSection().shape[vatomTypeKey].shape))

/**
 * A document whose built-in properties are in the order of the specification, without those that no document can have:
 * a newer service may add some.
 */
function known(document: Section): Section {
  const section = sectionOf(document.vatom)
  const type = section[vatomTypeKey]
  if (!isObject(type)) return document
  const kept = builtIn()
    .filter((field) => Object.hasOwn(type, field))
    .map((field) => [field, type[field]])
  return { ...document, vatom: { ...section, [vatomTypeKey]: Object.fromEntries(kept) } }
}

const needs = ['bluetooth_le', 'contact_list', 'gps', 'three_d'] as const

/** A face's record as the document a publisher would write. Spec 4.5. */
function faceDocument({ template, properties }: FaceRecord): Section {
  const { display_url, package_url, constraints, resources, config } = properties
  return {
    template,
    display_url,
    package_url: package_url || display_url,
    constraints: {
      view_mode: constraints.view_mode,
      platform: constraints.platform,
      quality: at(constraints, 'quality') ?? 'high',
      ...Object.fromEntries(needs.map((need) => [need, at(constraints, need) === true])),
    },
    resources: resources ?? [],
    config,
  }
}

/**
 * A family with one face for the same viewers, as a catalog must have them: the first, which viewers pick. Warns of the
 * others. Spec 4.5.
 */
export function withoutDuplicateFaces(family: Family, { output }: Pick<Context, 'output'>): Family {
  const byViewers = new Map<string, FaceRecord[]>()
  for (const face of family.faces) {
    const viewers = identityOf(faceDocument(face)).join(', ')
    byViewers.set(viewers, [...(byViewers.get(viewers) ?? []), face])
  }
  const faces = [...byViewers].flatMap(([viewers, [first, ...others]]) => {
    if (first === undefined) return []
    const ids = others.map(({ id }) => id).join(' ')
    if (others.length > 0)
      output.warn(
        styled`${family.template.name} has ${others.length + 1} faces for ${viewers}; viewers pick the first, ${first.id}, and only that is written; vatom face delete ${ids} deletes the others, and so does vatom apply --prune`,
      )
    return [first]
  })
  return { ...family, faces }
}
