import { describe, expect, test } from 'vitest'
import { red, template } from '../fixtures/yaml.ts'
import { stocked, transports } from '../support/desks.ts'

describe.each(transports)('on the %s transport', (transport) => {
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
