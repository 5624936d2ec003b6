import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../../src/cli/catalog/plan/compare-record.ts'
import { at } from '../../../../src/contract/schema/path.ts'
import { published } from '../../../fixtures/catalog.ts'
import { face, red, template, variation } from '../../../fixtures/yaml.ts'
import { testClock } from '../../../support/host.ts'
import { lossy } from '../../../support/lossy.ts'
import { deskOf, publisher } from '../../../support/vatom.ts'

/** Catalog a with a template and a variation, b with a face; each run is on a machine of its own, and later than the one before. */
async function machines() {
  let now = testClock().getTime()
  const desk = await publisher({ clock: () => new Date(now) })
  const { service, home, file } = desk
  file('a/vatom.yaml', 'catalog: a\n')
  file('a/coupon.yaml', template())
  file('a/red.yaml', variation())
  file('b/vatom.yaml', 'catalog: b\n')
  file('b/card.yaml', face())
  const run = (...words: string[]) => {
    now += 1_000
    rmSync(join(home, '.local/share/vatom'), { recursive: true, force: true })
    return desk.vatom(...words)
  }
  const done = async (...words: string[]) => {
    const { code, out, err } = await run(...words)
    if (code !== 0) throw new Error(`${words.join(' ')}: ${err}`)
    return out + err
  }
  /** The variation moves to a catalog, by a commit of its own. */
  const moved = async (to: 'a' | 'b', text = variation()) => {
    rmSync(join(home, to === 'a' ? 'b' : 'a', 'red.yaml'), { force: true })
    file(`${to}/red.yaml`, text)
    await done('apply', to, '--take-over', '--yes')
  }
  const reader = deskOf(service)
  const owner = async () => {
    const labels = Object(at(await reader.json('api', 'GET', 'v1/publisher/label'), 'payload'))
    return labels.find(({ key }: { key: string }) => key === red)?.catalog
  }
  const refused = async (text: string) => {
    const { code, err } = await run('apply', 'the.plan')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(text) })
    expect(err).toContain('hint: nothing was sent; plan again: vatom plan ')
  }
  await done('apply', 'a', '--yes')
  await done('apply', 'b', '--yes')
  return { ...desk, run, done, moved, owner, refused }
}

const back = `The service has changed since the plan was made: variation ${red} has changed its catalog, and changed it back\n`

describe('a saved plan is not carried out where others owned its record since', () => {
  test('which it takes over: a second time, over a newer take-over', async () => {
    const { file, done, moved, owner, refused } = await machines()
    file('b/red.yaml', variation())
    await done('plan', 'b', '--take-over', '--out', 'the.plan')
    expect(await done('apply', 'the.plan')).toContain('1 taken over')
    expect(await done('apply', 'the.plan')).not.toContain('taken over')
    await moved('a')
    await refused(back)
    await refused('plan again: vatom plan b --take-over --out the.plan;')
    expect(await owner()).toBe('a')
  })

  test('which it deletes', async () => {
    const { file, done, json, moved, owner, refused } = await machines()
    file('a/red.yaml', '# nothing\n')
    await done('plan', 'a', '--prune', '--out', 'the.plan')
    await moved('b')
    await moved('a')
    await refused(back)
    expect(await owner()).toBe('a')
    expect(await json('variation', 'list')).toHaveLength(1)
  })

  test('which it changes', async () => {
    const { file, done, json, moved, refused } = await machines()
    file('a/red.yaml', variation().replace('color: red', 'color: pink'))
    await done('plan', 'a', '--out', 'the.plan')
    await moved('b')
    await moved('a')
    await refused(back)
    expect(JSON.stringify(await json('variation', 'get', red))).not.toContain('pink')
  })

  test('which it deletes as one of no catalog', async () => {
    const { file, done, json, refused } = await machines()
    const blue = `${red}Blue`
    file('blue.yaml', variation(blue))
    await json('variation', 'create', 'blue.yaml')
    await done('plan', 'a', '--prune-unowned', '--out', 'the.plan')
    file('a/blue.yaml', variation(blue))
    await done('apply', 'a', '--yes')
    await refused(`The service has changed since the plan was made: variation ${blue} belongs to the catalog a\n`)
    expect(await json('variation', 'list')).toHaveLength(2)
  })
})

test('a saved plan is carried out where others owned a record since that it leaves as it is', async () => {
  const { file, done, moved } = await machines()
  file('a/coupon.yaml', template().replace('blue', 'green'))
  await done('plan', 'a', '--out', 'the.plan')
  await moved('b')
  file('a/coupon.yaml', template())
  await moved('a')
  expect(await done('apply', 'the.plan')).toContain('1 unchanged')
})

test('a saved plan is read and carried out as an earlier version saved it', async () => {
  const { home, file, done } = await machines()
  file('b/red.yaml', variation())
  await done('plan', 'b', '--take-over', '--out', 'the.plan')
  const { content, ...head } = JSON.parse(readFileSync(join(home, 'the.plan'), 'utf8'))
  const documents = content.documents.map(({ label_revision, ...one }: Record<string, unknown>) => one)
  expect(documents).not.toEqual(content.documents)
  const earlier = { ...content, documents }
  file('the.plan', JSON.stringify({ ...head, digest: digestOf(earlier), content: earlier }))
  expect(await done('apply', 'the.plan')).toContain('1 taken over')
})

test('a saved plan whose own earlier run took a record over, and could not publish it, goes on', async () => {
  const desk = await publisher()
  let isRefusing = false
  let sent = 0
  const { env } = await lossy(
    desk.service,
    ({ method, url = '', headers }) => {
      if (method === 'GET' || headers['vatom-dry-run'] || !url.includes('template_variation')) return 'answered'
      sent++
      return isRefusing && sent > 1 ? { status: 400 } : 'answered'
    },
    () => {},
    ['vatom-dry-run'],
  )
  const run = (...words: string[]) => desk.run(words, { env })
  desk.file('a/vatom.yaml', 'catalog: a\n')
  desk.file('a/coupon.yaml', published(template()))
  desk.file('a/red.yaml', variation())
  expect(await run('apply', 'a', '--yes', '--publish')).toMatchObject({ code: 0 })
  desk.file('b/vatom.yaml', 'catalog: b\n')
  desk.file('b/red.yaml', `unpublished: false\n${variation().replace('color: red', 'color: pink')}`)
  desk.file('a/red.yaml', '# nothing\n')
  expect(await run('plan', 'b', '--take-over', '--publish', '--out', 'the.plan')).toMatchObject({ code: 0 })
  sent = 0
  isRefusing = true
  expect(await run('apply', 'the.plan')).toMatchObject({ code: 6, out: expect.stringContaining('Took over variation') })
  isRefusing = false
  const { code, out, err } = await run('apply', 'the.plan')
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`Published variation ${red} on `) })
  expect(err).not.toContain('has changed its catalog')
})
