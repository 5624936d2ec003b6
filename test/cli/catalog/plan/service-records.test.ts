import { expect, test } from 'vitest'
import { action, face, template, variation } from '../../../fixtures/yaml.ts'
import { lossy } from '../../../support/lossy.ts'
import { publisher } from '../../../support/vatom.ts'

/** A catalog of templates, each with a variation, an action and a face, and the requests of a command on it, counted. */
async function catalogOf(count: number) {
  const lines: string[] = []
  const desk = await publisher({ service: { log: (line) => lines.push(line) } })
  for (let n = 0; n < count; n++) {
    const name = `$publisher::Item${n}::v1`
    const documents = [
      template(name),
      variation(`${name}::Red`, name),
      action().replace('Coupon', `Item${n}`),
      face(name),
    ]
    desk.file(`catalog/${n}.yaml`, documents.join('---\n'))
  }
  /** How often each kind of request was made by a command that must succeed. */
  const requestsOf = async (...args: string[]) => {
    lines.length = 0
    const { code, err } = await desk.vatom(...args)
    if (code !== 0) throw new Error(err)
    const counts: Record<string, number> = {}
    for (const line of lines.filter((one) => !one.endsWith(' dry run'))) {
      const request = /^\S+ [^?\s]+/.exec(decodeURIComponent(line))?.[0].replace(/\/local\.vatom::.*/, '/NAME') ?? ''
      counts[request] = (counts[request] ?? 0) + 1
    }
    return counts
  }
  return { ...desk, requestsOf }
}

const labels = { 'GET /v1/publisher/label': 1 }

test('a catalog of many templates reads lists, and what only a template can be asked for', async () => {
  const { requestsOf, vatom } = await catalogOf(25)
  await vatom('apply', 'catalog', '--yes')
  const lists = { ...labels, 'GET /v1/templates': 1, 'GET /v1/template_variations': 1 }
  const read = { ...lists, 'GET /v1/publisher/action': 25, 'GET /v1/publisher/face': 25 }
  expect(await requestsOf('plan', 'catalog')).toEqual(read)
  expect(await requestsOf('plan', 'catalog', '--prune')).toEqual(read)
})

test('a catalog of few asks for each record', async () => {
  const { requestsOf, vatom } = await catalogOf(3)
  await vatom('apply', 'catalog', '--yes')
  const read = {
    ...labels,
    'GET /v1/templates/NAME': 3,
    'GET /v1/template_variations': 3,
    'GET /v1/template_variations/NAME': 3,
    'GET /v1/publisher/action': 3,
    'GET /v1/publisher/face': 3,
  }
  expect(await requestsOf('plan', 'catalog')).toEqual(read)
  expect(await requestsOf('plan', 'catalog', '--prune')).toEqual(read)
})

test('a record that a list does not have is asked for', async () => {
  const { requestsOf } = await catalogOf(10)
  expect(await requestsOf('plan', 'catalog')).toEqual({
    ...labels,
    'GET /v1/templates': 1,
    'GET /v1/templates/NAME': 10,
    'GET /v1/template_variations': 1,
    'GET /v1/template_variations/NAME': 10,
  })
})

test('where lists are refused each record is asked for', async () => {
  const desk = await catalogOf(10)
  await desk.vatom('apply', 'catalog', '--yes')
  const { env } = await lossy(desk.service, ({ url = '' }) =>
    /^\/v1\/template(s|_variations)\?/.test(url) ? { status: 403 } : 'answered',
  )
  expect(await desk.run(['plan', 'catalog'], { env })).toMatchObject({
    code: 0,
    out: 'Plan for 40 documents: 40 unchanged\n',
  })
})
