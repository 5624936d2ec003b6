import { expect, test } from 'vitest'
import { at } from '../../../../src/contract/schema/path.ts'
import { catalogDesk, published } from '../../../fixtures/catalog.ts'
import { red, template, variation } from '../../../fixtures/yaml.ts'

const stamp = 'name: $publisher::Coupon::v1::Action::Stamp\nreactor: blockv://custom/privateproperties\nwait: true\n'
const stamped = (title: string, stamps = 0) =>
  template().replace('title: Coupon', `title: ${title}`).replace('color: blue', `color: blue\n    stamps: ${stamps}`)

const described = (color: string, more = '') =>
  variation('$publisher::Coupon::v1::Red', '$publisher::Coupon::v1', more)
    .replace('title: Red coupon', 'description: Red')
    .replace('color: red', `color: ${color}`)

test.each(['local', 'network'] as const)(
  'apply leaves what actions wrote where its files change other fields, on %s',
  async (transport) => {
    const desk = await catalogDesk(transport)
    desk.file('catalog/3-red.yaml', described('red'))
    desk.file('catalog/4-coupon.yaml', stamped('Coupon'))
    desk.file('catalog/5-stamp.yaml', stamp)
    await desk.applied()
    const id = String(at(await desk.json('emit', red), 'ids', 0))
    await desk.json('act', 'Stamp', id, '-d', 'private.stamps=7')
    const shown = async () => {
      const vatom = at(await desk.json('discover', '--mine'), 'results', 0)
      return [at(vatom, 'vAtom::vAtomType', 'title'), at(vatom, 'private', 'stamps'), at(vatom, 'private', 'color')]
    }
    expect(await shown()).toEqual(['Coupon', 7, 'red'])
    desk.file('catalog/4-coupon.yaml', stamped('Better'))
    desk.file('catalog/3-red.yaml', described('pink'))
    const { out } = await desk.vatom('plan', 'catalog')
    const note = '      1 vAtom follows; what actions changed in it stays, unless the file changes that very value'
    expect(out.split('\n').filter((line) => line === note)).toHaveLength(2)
    await desk.applied()
    expect(await shown()).toEqual(['Better', 7, 'pink'])
    desk.file('catalog/4-coupon.yaml', stamped('Better', 1))
    await desk.applied()
    expect(await shown()).toEqual(['Better', 1, 'pink'])
    await desk.json('act', 'Stamp', id, '-d', 'private.stamps=8')
    desk.file('catalog/4-coupon.yaml', published(stamped('Better', 1)))
    desk.file('catalog/3-red.yaml', described('pink', 'unpublished: false\n'))
    expect((await desk.vatom('plan', 'catalog')).out).not.toContain('follows')
    await desk.applied('--publish')
    expect(await shown()).toEqual(['Better', 8, 'pink'])
  },
)
