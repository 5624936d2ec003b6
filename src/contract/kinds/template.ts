import { limits } from '../limits.ts'
import { at } from '../schema/path.ts'
import { vatomType } from '../values.ts'
import {
  completeEth,
  completeVatom,
  type Section,
  sectionOf,
  textPrices,
  typedEth,
  withoutStateChange,
} from '../vatom/complete.ts'
import { chain, changesOf, setting } from './changes.ts'
import type { Kind, Pattern } from './kind.ts'
import { beyond, present, textOf, withChains } from './minimal.ts'

const settings = { unpublished: true, public: false, cloneable: false }

/** Names in a `vatom` section. */
export const vatomNames: readonly Pattern[] = [[...vatomType, 'child_policy', '*', 'template_variation']]
/** Custom properties in a `vatom` section. */
export const vatomFree: Kind['free'] = [['vatom', 'private']]
/** Queries in a `vatom` section. */
export const vatomQueries: readonly Pattern[] = [[...vatomType, 'query']]

/** Maximum sizes of the sections that become a vAtom's. */
export const vatomBounds: Kind['bounded'] = [
  { path: ['vatom'], bytes: limits.section },
  { path: ['eth'], bytes: limits.eth },
  { path: ['eos'], bytes: limits.eth },
]

/** Columns that templates and variations share. */
export const draftColumns: Kind['columns'] = {
  NAME: ({ name }) => textOf(name),
  STATE: (record) => (at(record, 'properties', 'unpublished') === false ? 'published' : 'draft'),
  PUBLIC: (record) => (record.public === true ? 'public' : ''),
}

/** A blueprint of vAtoms. Spec 2.2. */
export const template: Kind = {
  name: 'template',
  one: 'a template',
  title: 'Template',
  verb: 'create',
  fileEnding: '',
  nameKey: 'template',
  templateKey: 'template',
  key: 'name',
  hasDrafts: true,
  isOpen: true,
  operations: {
    create: 'createTemplate',
    update: 'updateTemplate',
    remove: 'deleteTemplate',
    get: 'getTemplate',
    list: 'listTemplates',
  },
  defaults: { ...settings, vatom: completeVatom({}) },
  names: [['template'], ...vatomNames],
  free: vatomFree,
  queries: vatomQueries,
  bounded: vatomBounds,
  listed: 'name,public,properties(publisher_fqdn,unpublished,cloneable)',
  columns: draftColumns,

  showsIn: (document) => Object.hasOwn(document, 'vatom'),
  nameOf: (document) => textOf(at(document, 'template')),
  templateOf,
  describes: (document, record) => record.name === document.template,
  specAt: ([section]) => (section === 'vatom' ? '2.4' : section === 'eth' ? '2.3' : '2.2'),

  documentOf: ({ name, public: isPublic, properties }) => ({
    template: name,
    cloneable: at(properties, 'cloneable'),
    unpublished: at(properties, 'unpublished'),
    public: isPublic,
    ...present({ eth: at(properties, 'eth'), eos: at(properties, 'eos') }),
    vatom: withoutStateChange(sectionOf(at(properties, 'template'))),
  }),
  // Whether it is published is not compared: publishing alone decides that. Spec 3.
  changes: async (document, record) => {
    const { documentable } = await import('../vatom/section.ts')
    const properties = sectionOf(record.properties)
    const publisher = String(properties.publisher_fqdn)
    const eth = chain('eth', document.eth, properties.eth, (section) => completeEth(section, publisher))
    const fields = [
      setting('cloneable', document.cloneable ?? false, properties.cloneable),
      setting('public', document.public ?? false, record.public),
      eth,
      chain('eos', document.eos, properties.eos, typedEth),
      {
        name: 'vatom',
        wanted: comparable(sectionOf(document.vatom)),
        stored: comparable(documentable(sectionOf(properties.template))),
        sent: document.vatom,
      },
    ]
    return changesOf(fields, { final: properties.unpublished === false, eth })
  },
  minimal: ({ vatom, ...document }, publisher) => ({
    ...withChains(beyond(settings, document), (eth) => plainEth(eth, publisher)),
    vatom: plainVatom(sectionOf(vatom)),
  }),
}

/** The `vatom` section of a template with its defaults, in one form, so that two of which vAtoms are the same are the same. */
export const comparable = (vatom: Section): Section => withoutStateChange(textPrices(completeVatom(vatom)))

/** The template that a document names in `template`. */
export function templateOf(document: unknown): string | undefined {
  const name = at(document, 'template')
  return typeof name === 'string' ? name : undefined
}

const vatomDefaults = withoutStateChange(completeVatom({}))

/** The `vatom` section without its defaults. Its root type has no default, so that something is left of it. */
const plainVatom = (vatom: Section): Section => beyond(vatomDefaults, withoutStateChange(completeVatom(vatom)))

/** An `eth` section whose symbol, where it is the publisher's domain name, is left to the service. Spec 2.3. */
function plainEth(eth: Section, publisher: string): Section {
  const { symbol, ...rest } = completeEth(eth, publisher)
  return symbol === publisher ? rest : { ...rest, symbol }
}
