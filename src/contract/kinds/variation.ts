import { at, isObject } from '../schema/path.ts'
import {
  flatPrices,
  type Section,
  sectionOf,
  textPrices,
  typedEth,
  variationDefaults,
  withoutStateChange,
} from '../vatom/complete.ts'
import { resolveChain } from '../vatom/overlay.ts'
import { chain, changesOf, setting } from './changes.ts'
import type { Kind } from './kind.ts'
import { beyond, present, textOf, withChains } from './minimal.ts'
import { draftColumns, templateOf, vatomBounds, vatomFree, vatomNames, vatomQueries } from './template.ts'

const defaults = { unpublished: true, ...variationDefaults }

/** What overwrites values of a template. Spec 2.5. */
export const variation: Kind = {
  name: 'variation',
  one: 'a variation',
  title: 'Template variation',
  verb: 'create',
  fileEnding: '.variation',
  nameKey: 'template_variation',
  templateKey: 'template',
  key: 'name',
  parent: 'template',
  hasDrafts: true,
  operations: {
    create: 'createVariation',
    update: 'updateVariation',
    remove: 'deleteVariation',
    get: 'getVariation',
    list: 'listVariations',
  },
  defaults,
  names: [['template'], ['template_variation'], ...vatomNames],
  free: vatomFree,
  queries: vatomQueries,
  bounded: vatomBounds,
  listed: 'name,public,properties(template,publisher_fqdn,unpublished)',
  columns: { ...draftColumns, TEMPLATE: (record) => textOf(at(record, 'properties', 'template')) },

  mark: 'template_variation',
  showsIn: (document) => Object.hasOwn(document, 'template_variation'),
  nameOf: (document) => textOf(at(document, 'template_variation')),
  templateOf,
  describes: (document, record) => record.name === document.template_variation,
  specAt: () => '2.5',

  documentOf: (record) => {
    const { vatom, eth, eos } = sectionOf(at(record, 'properties', 'overrides'))
    const own = { eth, eos, vatom: isObject(vatom) ? withoutStateChange(vatom) : vatom }
    return { ...headOf(record), ...present(own) }
  },
  // It is compared with what the variation itself overwrites.
  changes: async (document, record, templateEth) => {
    const properties = sectionOf(record.properties)
    const overrides = sectionOf(properties.overrides)
    const own: Section = { ...properties, public: record.public }
    const eth = chain('eth', document.eth, overrides.eth, typedEth)
    const resolved = (section: unknown) =>
      isObject(section) && isObject(templateEth) ? resolveChain(templateEth, section) : section
    const fields = [
      { name: 'template', wanted: document.template, stored: properties.template },
      ...Object.entries(variationDefaults).map(([name, unset]) =>
        setting(name, document[name] ?? unset, own[name] ?? unset),
      ),
      eth,
      chain('eos', document.eos, overrides.eos, typedEth),
      {
        name: 'vatom',
        wanted: withoutStateChange(textPrices(sectionOf(document.vatom))),
        stored: withoutStateChange(textPrices(sectionOf(overrides.vatom))),
        sent: document.vatom ?? {},
      },
    ]
    return changesOf(fields, {
      final: properties.unpublished === false,
      eth: { stored: resolved(eth.stored), wanted: resolved(eth.wanted) },
    })
  },
  minimal: ({ vatom, ...document }) => ({
    ...withChains(beyond(defaults, document), typedEth),
    ...(Object.keys(sectionOf(vatom)).length > 0 && { vatom: flatPrices(sectionOf(vatom)) }),
  }),
}

/** A variation's record as a document of the vAtom that it makes: resolved over its template. Spec 2.5. */
export function resolvedDocument(record: Section): Section {
  const { eth, eos, ...vatom } = sectionOf(at(record, 'properties', 'template_variation'))
  return { ...headOf(record), ...present({ eth, eos }), vatom: withoutStateChange(vatom) }
}

function headOf({ name, public: isPublic, properties }: Section): Section {
  const { template, unpublished, auto_create_on_acquire, cloning_gain, max_clones } = sectionOf(properties)
  return {
    template_variation: name,
    template,
    unpublished,
    public: isPublic,
    ...present({ auto_create_on_acquire, cloning_gain, max_clones }),
  }
}
