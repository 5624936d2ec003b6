import { limits } from '../limits.ts'
import { at, listAt } from '../schema/path.ts'
import { type Section, sectionOf } from '../vatom/complete.ts'
import { changesOf, setting } from './changes.ts'
import type { Kind } from './kind.ts'
import { textOf } from './minimal.ts'
import { templateOf } from './template.ts'

const needs = ['bluetooth_le', 'contact_list', 'gps', 'three_d'] as const

/** How viewers show the vAtoms of a template. Spec 4.5. */
export const face: Kind = {
  name: 'face',
  one: 'a face',
  title: 'Face',
  verb: 'register',
  fileEnding: '.faces',
  nameKey: 'template',
  templateKey: 'template',
  key: 'id',
  parent: 'template',
  hasDrafts: false,
  operations: { create: 'registerFace', update: 'updateFace', remove: 'deleteFace', list: 'listFaces' },
  defaults: {},
  names: [['template']],
  free: [['config']],
  queries: [],
  bounded: [{ path: [], bytes: limits.section }],
  columns: {
    ID: ({ id }) => textOf(id),
    VIEW: constraint('view_mode'),
    PLATFORM: constraint('platform'),
    QUALITY: constraint('quality'),
    URL: (record) => textOf(at(record, 'properties', 'display_url')),
    RESOURCES: (record) => listAt(record, 'properties', 'resources').join(', '),
  },

  mark: 'display_url',
  showsIn: (document) => Object.hasOwn(document, 'display_url'),
  nameOf: (document) => [textOf(at(document, 'template')), faceText(document)].filter(Boolean).join(' '),
  templateOf,
  describes: isFaceOf,
  specAt: () => '4.5',

  documentOf: ({ template, properties }) => {
    const { display_url, package_url, constraints, resources, config } = sectionOf(properties)
    return {
      template,
      display_url,
      package_url: package_url || display_url,
      constraints: {
        view_mode: at(constraints, 'view_mode'),
        platform: at(constraints, 'platform'),
        quality: at(constraints, 'quality') ?? 'high',
        ...Object.fromEntries(needs.map((need) => [need, at(constraints, need) === true])),
      },
      resources: resources ?? [],
      config,
    }
  },
  // Of the constraints those that differ are sent; a config that the document does not have is emptied. Spec 2.6.
  changes: async (document, record) => {
    const properties = sectionOf(record.properties)
    const wanted = sectionOf(document.constraints)
    const stored = Object.fromEntries(Object.keys(wanted).map((name) => [name, at(properties, 'constraints', name)]))
    const differing = Object.entries(wanted).filter(([name, value]) => stored[name] !== value)
    return changesOf([
      setting('display_url', document.display_url, properties.display_url),
      setting('package_url', document.package_url, properties.package_url),
      { name: 'constraints', wanted, stored, sent: Object.fromEntries(differing) },
      setting('resources', document.resources, properties.resources ?? []),
      setting('config', document.config ?? {}, properties.config ?? {}),
    ])
  },
  minimal: ({ config, ...document }) => ({
    ...document,
    ...(Object.keys(sectionOf(config)).length > 0 && { config }),
  }),
}

/** What distinguishes a face of a template from its others: view mode, platform and quality. Spec 4.5. */
export const identityOf = (face: unknown): unknown[] =>
  ['view_mode', 'platform', 'quality'].map((key) => at(face, 'constraints', key))

/** What distinguishes a face of a template, and its address: `icon, generic, high, native://image`. Spec 4.5. */
export const faceText = (face: unknown): string =>
  [...identityOf(face), at(face, 'display_url')].map(textOf).filter(Boolean).join(', ')

/** Whether a record is the face that a document describes: for the same viewers of the same template. Spec 4.5. */
export function isFaceOf(document: Section, record: Section): boolean {
  const wanted = identityOf(document)
  return (
    record.template === document.template &&
    identityOf(record.properties).every((value, index) => value === wanted[index])
  )
}

function constraint(name: string): (record: Section) => string {
  return (record) => String(at(record, 'properties', 'constraints', name) ?? '')
}
