import { expect, test } from 'vitest'
import { at } from '../../../src/contract/schema/path.ts'
import { publisher } from '../../support/vatom.ts'

/** A publisher with three vAtoms, their ids, and what is left of them. */
async function withVatoms() {
  const desk = await publisher()
  await desk.vatom('init', 'shop', '--name', 'Tea')
  await desk.vatom('apply', 'shop', '--yes')
  const ids = at(await desk.json('emit', 'Tea', '--num', '3'), 'ids') as string[]
  const rest = async () => at(await desk.json('inventory'), 'vatoms') as object[]
  return { ...desk, ids, rest }
}

test('- takes all ids of a line with spaces between them, for show, update and trash', async () => {
  const { run, ids, rest } = await withVatoms()
  const [a = '', b = '', c = ''] = ids
  const stdin = `  ${a} ${b.slice(0, 12)}   ${c}\tTea\tactivated\r\n`
  const shown = JSON.parse((await run(['show', '-', '--json'], { stdin: `${a} ${b}\n${c}` })).out)
  expect(shown.vatoms.map(({ id }: { id: string }) => id)).toEqual(ids)
  const moved = await run(['update', '-', '--folder', '.', '--dry-run'], { stdin: ids.join(' ') })
  expect(moved.out).toMatch(/^(vAtom .* is already at the root on local\n){3}$/)
  expect(await run(['trash', '-', '--yes'], { stdin })).toMatchObject({ code: 0 })
  expect(await rest()).toEqual([])
})

test.each([
  ['show', '-'],
  ['update', '-', '--folder', '.'],
  ['trash', '-', '--yes'],
])('- names what is no id in a line, and %s does nothing', async (...command) => {
  const { run, ids, rest } = await withVatoms()
  const { code, out, err } = await run(command, { stdin: `${ids[0]}\n${ids[1]} A coupon ${ids[2]}\n` })
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('error: Line 2 of standard input has what is no id: A, coupon\nhint: give ids with spaces')
  expect(await rest()).toHaveLength(3)
})

test('- takes no id from another column than the first', async () => {
  const { run, ids, rest } = await withVatoms()
  const { code, err } = await run(['trash', '-', '--yes'], { stdin: `${ids[0]}\tx\n\t${ids[1]}\n` })
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining('error: Line 2 of standard input has no id in its first column\nhint: give ids with'),
  })
  expect(await rest()).toHaveLength(3)
})

test('a hint is printed once, where ids failed for several reasons', async () => {
  const { run, ids } = await withVatoms()
  await run(['user', 'register', '--email', 'ann@example.com', '--password-stdin'], { stdin: 'annspass1' })
  await run(['act', 'Transfer', ids[0] ?? '', '-d', 'new.owner.email=ann@example.com'])
  const { code, err } = await run(['trash', '-', '--yes'], { stdin: `${ids[0]} deadbeef` })
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('has the id deadbeef') })
  expect(err).toContain("hint: it was trashed before, or is somebody else's; list what exists: vatom inventory\n")
})
