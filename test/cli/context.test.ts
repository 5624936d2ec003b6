import { describe, expect, test } from 'vitest'
import { red, template } from '../fixtures/yaml.ts'
import { stocked, transports } from '../support/desks.ts'
import { publisher } from '../support/vatom.ts'

describe.each(transports)('on the %s transport', (transport) => {
  test('plan and apply say in JSON which service they are about, as whoami does', async () => {
    const { json, vatom, file } = await publisher({ transport })
    file('draft.yaml', template())
    const { context } = Object(await json('whoami'))
    expect(context).toEqual(
      transport === 'local'
        ? { name: 'local', base_url: null }
        : { name: expect.stringMatching(/^127/), base_url: expect.stringMatching(/^http:/) },
    )
    expect(await json('plan', 'draft.yaml')).toMatchObject({ context })
    await vatom('plan', 'draft.yaml', '--out', 'draft.plan')
    expect(await json('apply', 'draft.plan')).toMatchObject({ context })
    expect(await json('apply', 'draft.yaml', '--yes')).toMatchObject({ context })
  })

  test('every command that changes something says where', async () => {
    const desk = await stocked(transport)
    const { vatom } = desk
    const said = expect.stringMatching(/^context /m)
    expect((await vatom('emit', red)).err).toEqual(said)
    expect((await vatom('profile', 'set', '--first-name', 'Ada')).err).toEqual(said)
    desk.file('draft.yaml', template('$publisher::Draft::v1'))
    expect((await vatom('template', 'create', 'draft.yaml')).err).toEqual(said)
    expect((await vatom('template', 'delete', '$publisher::Draft::v1', '--yes')).err).toEqual(said)
    expect((await vatom('template', 'list')).err).toBe('')
  })
})
