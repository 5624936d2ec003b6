import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { face, shortestTemplate, template } from '../../fixtures/yaml.ts'
import { loadText, places } from '../../support/loading.ts'

const problemsOf = async (text: string) => places((await loadText(text)).problems)
const colon = 'yaml-syntax'

describe('beside a text in which a colon is', () => {
  test('the other mistakes of the document are reported, at their places', async () => {
    const text = template('$publisher::Coupon::v1', 'cloneable: yes\n')
      .replace('title: Coupon', 'title: Coupon: the best # of all')
      .replace('category', 'description: You ran 10 km:\n    catagory')
      .concat('    serial: 0012\n    serial: 0013\n')
    expect(await problemsOf(text)).toEqual([
      'yaml-boolean 3:12',
      `${colon} 7:12`,
      `${colon} 8:18`,
      'unknown-field 9:5',
      'yaml-number 18:13',
      'yaml-duplicate 19:5',
    ])
  })

  test('mistakes are reported in each document of a file, also where it has lines of Windows', async () => {
    const wrong = shortestTemplate('title: Coffee: hot\ntransferable: yes')
    const right = shortestTemplate('title: "Coffee: hot"\ntransferable: true').replace('T::v1', 'T::v2')
    const text = [wrong, right, wrong.replace('T::v1', 'T::v3')].join('\n---\n').replace(/\n/g, '\r\n')
    const lines = text.split('\r\n').flatMap((line, index) => (/: Coffee|yes/.test(line) ? [index + 1] : []))
    expect((await loadText(text)).problems.map(({ line }) => line)).toEqual(lines)
  })

  test.each([
    [
      'a field that may be in it',
      face().replace('image\npackage_url: native://image\n', 'image package_url: native://image\n'),
    ],
    [
      'a field that needs another one, which may be in it',
      shortestTemplate('redeemable: true\ntitle: Tea commerce: {}'),
    ],
    ['a name of which nothing is known', template('x: y')],
    [
      'a field that another one allows, which could not be read',
      shortestTemplate('query: {scope: {key: vAtom::vAtomType.owner, value: $currentuser}}').replace(
        'root_type: vAtom',
        'root_type: vAtom: ',
      ),
    ],
    [
      'what goes on in the next line',
      template().replace('Coupon\n', 'Coupon: the\n      best: one\n      cloneable: yes\n'),
    ],
    ['fields below a text', template().replace('private:', 'private: mine:')],
    ['fields of no kind', 'description: You ran 10 km: well done!\ncloneable: yes\n'],
    [
      'a structure that is wrong elsewhere',
      template().replace('title: Coupon', 'title: a: b').concat('   color: red\n'),
    ],
  ])('nothing is reported of %s', async (_, text) => {
    expect((await problemsOf(text)).map((place) => place.split(' ')[0])).toEqual([colon])
  })

  test('an alias whose anchor is in the text is reported as before', async () => {
    const text = template().replace('title: Coupon', 'title: &t Coupon: the best').replace('blue', '*t')
    expect(await problemsOf(text)).toEqual([`${colon} 6:12`])
  })

  test('the next document is reported once, where the line --- that ends the text only looks like one', async () => {
    const text = `description: Tea: |\n\t--- title: Tea: cold\n---\n${shortestTemplate('color: 0012')}`
    expect(await problemsOf(text)).toEqual([`${colon} 1:14`, `${colon} 2:6`, 'unknown-field 8:5', 'yaml-number 8:12'])
  })

  test('the texts of very many documents are reported', async () => {
    const wrong = `${shortestTemplate('title: Coffee: hot')}\n---\n`
    const { problems } = await loadText(wrong.repeat(2000))
    expect(problems.filter(({ rule }) => rule === colon)).toHaveLength(2000)
  }, 60_000)
})

test('of more texts with colons than are shown, the first is', async () => {
  const texts = Array.from({ length: limits.problems + 1 }, (_, index) => `- a${index}: b: c\n`)
  expect(await problemsOf(`private:\n${texts.join('')}`)).toEqual([`${colon} 2:7`])
})
