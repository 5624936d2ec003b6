import { describe, expect, test } from 'vitest'
import { createOutput } from '../../../src/cli/io/output.ts'
import { printList } from '../../../src/cli/vatoms/paged-list.ts'
import { usualColumns, type Vatom } from '../../../src/cli/vatoms/vatom-table.ts'
import { limits } from '../../../src/contract/limits.ts'
import { facing } from '../../support/desks.ts'
import { hostWith } from '../../support/host.ts'

/** A service whose lists have two pages of two vAtoms, and that fails when a third one is requested. */
const breaking = () => {
  let requests = 0
  return facing((_, response) => {
    requests += 1
    const vatoms = [1, 2].map((one) => ({ id: `${requests}-${one}` }))
    if (requests > 2) response.writeHead(500)
    response.end(JSON.stringify({ payload: { vatoms, results: vatoms, faces: [], actions: [], count: 2 } }))
  })
}

describe.each(['inventory', 'discover'])('%s --all', (list) => {
  test('--ndjson prints each page before the next one is requested', async () => {
    const { run, env } = await breaking()
    const { code, out, err } = await run([list, '--all', '--ndjson', '--limit', '2'], { env })
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['1-1', '1-2', '2-1', '2-2'])
    expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining('error:') })
  })

  test('without --json prints each page before the next one, if it is piped', async () => {
    const { run, env } = await breaking()
    const { code, out } = await run([list, '--all', '--limit', '2'], { env })
    expect(code).toBe(5)
    expect(out.split('\n').map((line) => line.split('\t')[0])).toEqual(['1-1', '1-2', '2-1', '2-2', ''])
  })

  test('--json prints a whole document or none: the failure', async () => {
    const { run, env } = await breaking()
    const { code, out } = await run([list, '--all', '--json', '--limit', '2'], { env })
    expect({ code, keys: Object.keys(JSON.parse(out)) }).toEqual({ code: 5, keys: ['error'] })
  })
})

/** The size of a vAtom, face or action: its text takes memory once. */
const text = 'x'.repeat(limits.listedCharacters / 8)

test.each([
  ['vAtoms', (id: string) => ({ vatoms: [{ id, text }], faces: [], actions: [] })],
  ['faces', (id: string) => ({ vatoms: [{ id }], faces: [{ id, text }], actions: [] })],
  ['actions', (id: string) => ({ vatoms: [{ id }], faces: [], actions: [{ name: id, text }] })],
])('a document of all is given up where its %s are too large to be kept', async (_, answer) => {
  const host = hostWith({})
  const output = await createOutput(host, { json: true, quiet: false, color: false, pager: false })
  const list = {
    size: { usual: 1, most: 1, ofAll: 1 },
    ask: async ({ page }: { page: number }) => (page > 20 ? { vatoms: [], faces: [], actions: [] } : answer(`${page}`)),
    vatomsOf: ({ vatoms }: { vatoms: readonly Vatom[] }) => vatoms,
    fieldsOf: () => ({}),
    columns: usualColumns,
  }
  await expect(printList(list, { all: true }, { host, output })).rejects.toMatchObject({ code: 'endless_list' })
})

test.each([
  ['all', { all: true, ndjson: true }],
  ['all as text', { all: true }],
])('%s of a list whose reader has gone requests no further page', async (_, options) => {
  const stdout = { write: () => {}, writable: false }
  const host = hostWith({ stdout })
  const output = await createOutput(host, { json: false, quiet: false, color: false, pager: false })
  const asked: number[] = []
  const list = {
    size: { usual: 2, most: 2, ofAll: 2 },
    ask: async ({ page }: { page: number }) => {
      asked.push(page)
      return { vatoms: [{ id: `${page}-1` }, { id: `${page}-2` }], faces: [], actions: [] }
    },
    vatomsOf: ({ vatoms }: { vatoms: readonly Vatom[] }) => vatoms,
    fieldsOf: (vatoms: readonly Vatom[]) => ({ vatoms }),
    columns: usualColumns,
  }
  await printList(list, options, { host, output })
  expect(asked).toEqual([1])
})
