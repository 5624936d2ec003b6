import { expect, test } from 'vitest'
import { face, template } from '../../fixtures/yaml.ts'
import { serverOf } from '../../support/servers.ts'
import { Capture } from '../../support/streams.ts'
import { publisher } from '../../support/vatom.ts'

const answers: Record<string, [status: number, type: string, size?: number]> = {
  '/good.png': [200, 'image/png', 10],
  '/page': [200, 'text/html'],
  '/raw': [200, 'application/octet-stream'],
  '/huge.png': [200, 'image/png', 20 * 1024 * 1024],
}

async function desk() {
  const seen: string[] = []
  const { url: base } = await serverOf(({ method, url = '' }, response) => {
    seen.push(`${method} ${url}`)
    const [status, type, size] = answers[url] ?? [404, 'text/html']
    response.writeHead(status, { 'content-type': type, ...(size && { 'content-length': size }) }).end()
  })
  return { ...(await publisher()), seen, base }
}
/** A template with an address on this machine, which is meant. */
const showing = (url: string, ...ignored: readonly string[]) => {
  const rules = ['private-address', ...ignored].join(', ')
  return template().replace('https://example.com/card.png', `${url} # vatom-ignore ${rules}`)
}

test('without the flag nobody is asked', async () => {
  const { vatom, file, seen, base } = await desk()
  file('t.yaml', showing(`${base}/gone.png`))
  expect(await vatom('template', 'validate', 't.yaml')).toMatchObject({ code: 0, err: '' })
  expect(seen).toEqual([])
})

test.each<[string, string, RegExp | undefined]>([
  ['what fits', '/good.png', undefined],
  ['what may be anything', '/raw', undefined],
  ['what is not there', '/gone.png', /gone\.png answers 404/],
  ['another type', '/page', /page is text\/html, not ResourceType::Image::PNG/],
  ['what is large', '/huge.png', /huge\.png has 20 MB/],
])('%s', async (_name, path, message) => {
  const { vatom, file, base } = await desk()
  file('t.yaml', showing(base + path))
  const { code, err, out } = await vatom('template', 'validate', 't.yaml', '--probe')
  expect({ code, out }).toEqual({ code: 0, out: 'valid template local.vatom::Coupon::v1 (t.yaml)\n' })
  expect(err).toMatch(/^probed 1 address\n/)
  if (message === undefined) expect(err).not.toContain('warning')
  else expect(err).toMatch(new RegExp(`warning\\[probe\\]: .*${message.source}.*\\n.*t\\.yaml:13:18`, 's'))
})

test('an address that nobody answers, once for all that name it, and switched off', async () => {
  const { json, file } = await desk()
  file('c/a.yaml', showing('http://127.0.0.1:1/a.png'))
  file('c/b.yaml', showing('http://127.0.0.1:1/a.png', 'probe').replace('Coupon::v1', 'Other::v1'))
  const { results } = (await json('template', 'validate', 'c', '--probe')) as { results: { problems: unknown[] }[] }
  expect(results.map(({ problems }) => problems)).toEqual([
    [
      expect.objectContaining({
        file: 'c/a.yaml',
        line: 13,
        rule: 'probe',
        message: expect.stringContaining('nothing listens there'),
      }),
    ],
    [],
  ])
})

test('faces: a page at the display_url, anything as the package', async () => {
  const { vatom, file, seen, base } = await desk()
  const web = (url: string, more: string) =>
    `# vatom-ignore-file private-address\n${face()}`
      .replace('display_url: native://image', `display_url: https://127.0.0.1:1`)
      .replace('package_url: native://image', `package_url: ${url}`) + more
  file('f.yaml', web(`${base}/good.png`, ''))
  const { err } = await vatom('face', 'validate', 'f.yaml', '--probe')
  expect(err).toContain('probed 2 addresses')
  expect(err).toContain('https://127.0.0.1:1 cannot be reached')
  expect(err).not.toContain('good.png')
  expect(seen).toEqual(['HEAD /good.png'])
  file('n.yaml', face())
  expect((await vatom('face', 'validate', 'n.yaml', '--probe')).err).toBe('probed 0 addresses\n')
})

test('a terminal shows that addresses are being waited for', async () => {
  const { url } = await serverOf((_, response) => setTimeout(() => response.end(), 700))
  const { run, file } = await publisher()
  file('t.yaml', showing(`${url}/slow.png`))
  const screen = new Capture(true)
  await run(['validate', 't.yaml', '--probe'], { tty: true, screen })
  expect(screen.text).toContain('waiting for addresses of resources and faces')
})
