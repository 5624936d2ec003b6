import { describe, expect, test } from 'vitest'
import { at } from '../../../../src/contract/schema/path.ts'
import { action, coupon, folderTemplate, template, variation } from '../../../fixtures/yaml.ts'
import { publisher } from '../../../support/vatom.ts'

const friend = 'friend@example.com'
const toFriend = ['-d', `new.owner.email=${friend}`]

/** An action with the reactor of another name. */
const called = (name: string, reactor: string, more = '') =>
  `${action(name).replace(`blockv://v1/${name}`, reactor)}wait: true\n${more}`

/** A desk with a vAtom of a template that has these actions, and the lines of the service's log. */
async function stocked(...actions: readonly string[]) {
  const lines: string[] = []
  const desk = await publisher({ transport: 'network', service: { log: (line) => lines.push(line) } })
  const redeemable = template().replace(
    '    title: Coupon',
    '    title: Coupon\n    redeemable: true\n    commerce: {}',
  )
  desk.file('shop/coupon.yaml', [redeemable, variation(), ...actions].join('---\n'))
  await desk.json('apply', 'shop', '--yes')
  const friendId = String(at(await desk.json('user', 'register', '--email', friend), 'id'))
  const id = String(at(await desk.json('emit', `${coupon}::Red`), 'ids', 0))
  lines.length = 0
  const atTerminal = (words: readonly string[], answers: Readonly<Record<string, string>> = {}) =>
    desk.run(['act', ...words], { tty: true, columns: 200, answers })
  return { ...desk, id, friendId, lines, atTerminal }
}

describe('whether a person is asked goes by what carries out an action', () => {
  test('a Transfer by another name is final, and so is a Redeem', async () => {
    const { id, atTerminal } = await stocked(
      called('Give', 'blockv://v1/Transfer'),
      called('HandIn', 'blockv://v1/Redeem'),
    )
    for (const [words, question, done] of [
      [['Give', id, ...toFriend], `Give to ${friend} is final. Perform it on Red coupon ${id}?`, undefined],
      [
        ['HandIn', id],
        `HandIn is final. Perform it on Red coupon ${id}? It is yours: it goes to the platform.`,
        /HandIn was performed on .*; it went to the platform; it is no longer in your inventory/,
      ],
    ] as const) {
      expect(await atTerminal(words, { [question]: 'n' })).toMatchObject({
        code: 1,
        err: expect.stringContaining(question),
      })
      if (done)
        expect(await atTerminal(words, { [question]: 'y' })).toMatchObject({
          code: 0,
          err: expect.stringMatching(done),
        })
    }
  })

  test('what is in a folder goes along with a Transfer by another name, as the question says', async () => {
    const desk = await publisher()
    const box = '$publisher::Box::v1'
    const policy = `[{count: 2, template_variation: '${coupon}::Red'}]`
    const give = called('Give', 'blockv://v1/Transfer').replace('Coupon', 'Box')
    const boxed = variation(`${box}::Red`, box)
    desk.file('shop.yaml', [template(), variation(), folderTemplate(box, policy), boxed, give].join('---\n'))
    await desk.json('apply', 'shop.yaml', '--yes')
    await desk.json('user', 'register', '--email', friend)
    const id = String(at(await desk.json('emit', 'local.vatom::Box::v1::Red'), 'ids', 0))
    const question = `Give to ${friend} is final. Perform it on Red coupon ${id}, with 2 vAtoms inside?`
    const run = { tty: true, columns: 200, answers: { [question]: 'y' } }
    expect(await desk.run(['act', 'Give', id, ...toFriend], run)).toMatchObject({
      code: 0,
      err: expect.stringContaining(question),
    })
  })

  test('an action that runs a final one before or after it is final, too', async () => {
    const stamp = called('Stamp', 'blockv://v1/Activate', 'policy: {post: [Give]}\n')
    const { id, atTerminal } = await stocked(called('Give', 'blockv://v1/Transfer'), stamp)
    const question = `Stamp to ${friend} is final. Perform it on Red coupon ${id}?`
    expect(await atTerminal(['Stamp', id, ...toFriend], { [question]: 'n' })).toMatchObject({
      code: 1,
      err: expect.stringContaining(question),
    })
  })

  test('another action with the name of a final one is not', async () => {
    const { id, atTerminal } = await stocked(called('Redeem', 'blockv://v1/Activate'))
    const { code, err } = await atTerminal(['Redeem', id])
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('Redeem was performed on') })
    expect(err).not.toContain('is final')
  })

  test('with a reactor of the publisher, an action is what it is called', async () => {
    const { id, json, atTerminal } = await stocked(called('Redeem', 'acme://x'), called('Stamp', 'acme://x'))
    await json('action', 'handler', 'register', '--reactor', 'acme://x', '--url', 'http://127.0.0.1:9/')
    expect((await atTerminal(['Stamp', id])).err).not.toContain('is final')
    const question = `Redeem is final. Perform it on Red coupon ${id}?`
    expect(await atTerminal(['Redeem', id], { [question]: 'n' })).toMatchObject({
      code: 1,
      err: expect.stringContaining(question),
    })
  })

  test('who cannot see a vAtom is asked by the name of the action', async () => {
    const { id, friendId, json, atTerminal } = await stocked(
      called('Redeem', 'blockv://v1/Redeem'),
      called('Give', 'blockv://v1/Transfer'),
    )
    const self = at(await json('whoami'), 'id')
    await json('api', 'PATCH', `__vatom/users/${self}`, '-F', 'is_merchant=true')
    await json('act', 'Give', id, '-d', `new.owner.id=${friendId}`)
    const question = `Redeem is final. Perform it on vAtom ${id}?`
    expect(await atTerminal(['Redeem', id], { [question]: 'y' })).toMatchObject({
      code: 0,
      err: expect.stringContaining(question),
    })
  })

  test('where nobody can be asked, nothing more is read', async () => {
    const { id, friendId, vatom, run, lines } = await stocked(called('Give', 'blockv://v1/Transfer'))
    const words = ['act', 'Give', id, '-d', `new.owner.id=${friendId}`]
    await vatom(...words, '--dry-run')
    expect(await run([...words, '--yes', '--quiet'], { tty: true })).toMatchObject({ code: 0 })
    expect(lines.filter((line) => line.includes('/user/vatom/get'))).toEqual([])
  })
})

describe('which inputs are checked goes by what carries out an action', () => {
  test('a Pickup that is called Drop needs no place', async () => {
    const { id, vatom, atTerminal } = await stocked(
      called('Drop', 'blockv://v1/Pickup'),
      called('LayDown', 'blockv://v1/Drop'),
    )
    const place = ['-d', 'geo.pos={"lat": 47.5, "lon": 8.5}']
    for (const act of [(words: string[]) => vatom('act', ...words), atTerminal]) {
      expect(await vatom('act', 'LayDown', id, ...place)).toMatchObject({ code: 0 })
      expect(await act(['Drop', id])).toMatchObject({ code: 0 })
    }
  })

  test('a misspelled input of a Redeem by another name is an error on a terminal', async () => {
    const { id, atTerminal } = await stocked(called('HandIn', 'blockv://v1/Redeem'))
    expect(await atTerminal(['HandIn', id, '-d', 'new.owner.emial=ann@example.com'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('HandIn takes no new.owner.emial'),
    })
  })

  test('an input that is wrong by the name is, where the vAtom cannot be read', async () => {
    const { vatom } = await stocked()
    expect(await vatom('act', 'Drop', 'nosuch')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Drop needs geo.pos'),
    })
  })
})
