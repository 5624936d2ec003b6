import { describe, expect, test } from 'vitest'
import { facing } from '../../support/desks.ts'

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
