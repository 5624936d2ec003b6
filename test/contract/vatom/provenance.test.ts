import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { at, isObject, type Path, printPath } from '../../../src/contract/schema/path.ts'
import { resolveVatom } from '../../../src/contract/vatom/overlay.ts'
import { resolveWithOrigins } from '../../../src/contract/vatom/provenance.ts'
import { overlayOfSample, vatomSection } from '../../fixtures/arbitraries.ts'
import { bodies } from '../../fixtures/samples.ts'

type Json = Record<string, unknown>
const sample = bodies.template().vatom as Json

/** A value with every leaf replaced by a word; names of list entries stay, since lists are merged by them. */
function dyed(value: unknown, word: string, key?: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => dyed(entry, word, key))
  if (!isObject(value)) return value
  const listed = key === 'states' || key === 'resources'
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (listed && name === 'name') return [name, inner]
      return [name, typeof inner === 'object' && inner !== null ? dyed(inner, word, name) : word]
    }),
  )
}
const rebuilt = (leaves: readonly { path: Path; value: unknown }[]) => {
  const root: Json = {}
  for (const { path, value } of leaves) {
    let here: Record<string | number, unknown> = root
    for (const [index, step] of path.entries()) {
      const next = path[index + 1]
      const fresh: unknown = next === undefined ? value : typeof next === 'number' ? [] : {}
      const taken = Object.hasOwn(here, step) ? here[step] : fresh
      Object.defineProperty(here, step, { value: taken, enumerable: true, writable: true, configurable: true })
      here = taken as Record<string | number, unknown>
    }
  }
  return root
}

const overlays = fc.oneof(
  overlayOfSample.map((over) => [sample, over] as const),
  fc.tuple(vatomSection, vatomSection),
)

describe('where the values of a resolved vAtom are from', () => {
  test('the leaves are the resolved vAtom, no more and no less', () =>
    fc.assert(
      fc.property(overlays, ([base, over]) => {
        const { sections, leaves } = resolveWithOrigins({ vatom: base }, { vatom: over })
        expect(sections.vatom).toEqual(resolveVatom(base as Json, over as Json))
        expect(rebuilt(leaves)).toEqual({ vatom: sections.vatom })
      }),
    ))

  test('each value follows the document that it is said to be from', () =>
    fc.assert(
      fc.property(overlays, ([base, over]) => {
        const [one, other] = [dyed(base, 'template') as Json, dyed(over, 'variation') as Json]
        const { leaves } = resolveWithOrigins({ vatom: one }, { vatom: other })
        for (const { path, value, from } of leaves)
          if (value === 'template' || value === 'variation') expect({ path, from }).toEqual({ path, from: value })
      }),
    ))

  test('names of entries are the template’s, a resource’s value is the variation’s', () => {
    const value = { resourceValueType: 'ResourceValueType::URI', value: 'https://new' }
    const over = { 'vAtom::vAtomType': { resources: [{ name: 'CardImage', value }] } }
    const { leaves } = resolveWithOrigins({ vatom: sample }, { vatom: over })
    const own = leaves.filter(({ from }) => from === 'variation').map(({ path }) => printPath(path))
    expect(own).toEqual([
      'vatom.vAtom::vAtomType.resources[1].value.resourceValueType',
      'vatom.vAtom::vAtomType.resources[1].value.value',
    ])
  })

  test('a list of the variation replaces the template’s whole', () => {
    const { leaves } = resolveWithOrigins(
      { vatom: { private: { a: [1, 2], b: [3] } } },
      { vatom: { private: { a: [1] } } },
    )
    expect(leaves.map(({ path, from }) => [path.join('.'), from])).toEqual([
      ['vatom.private.a.0', 'variation'],
      ['vatom.private.b.0', 'template'],
    ])
  })

  test('a price that either nests is flat', () => {
    const priced = (value: Json) => ({ vatom: { 'vAtom::vAtomType': { commerce: { pricing: { value } } } } })
    const { leaves } = resolveWithOrigins(
      priced({ value: { price: 1, currency: 'EUR' } }),
      priced({ value: { price: 2 } }),
    )
    expect(leaves.map(({ path, value, from }) => [path.at(-1), value, from])).toEqual([
      ['price', 2, 'variation'],
      ['currency', 'EUR', 'template'],
    ])
  })

  test('chain sections are the template’s, field by field', () => {
    const eth = (value: number) => ({
      network: 'testnet',
      fields: { a: { type: 'uint', value }, b: { type: 'uint', value: 0 } },
    })
    const over = { network: 'testnet', fields: { a: { type: 'uint', value: 2 } } }
    const { sections, leaves } = resolveWithOrigins({ vatom: sample, eth: eth(1) }, { eth: over })
    expect(at(sections, 'eth')).toEqual(eth(2))
    const from = (name: string) => leaves.find(({ path }) => path.join('.') === `eth.fields.${name}.value`)?.from
    expect([from('a'), from('b')]).toEqual(['variation', 'template'])
    expect(resolveWithOrigins({ vatom: sample }, {}).sections).not.toHaveProperty('eth')
  })
})
