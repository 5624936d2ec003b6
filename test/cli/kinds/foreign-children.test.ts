import { expect, test } from 'vitest'
import * as bodies from '../../fixtures/bodies.ts'
import { published } from '../../fixtures/catalog.ts'
import { face, folderTemplate, variation } from '../../fixtures/yaml.ts'
import { rival, transports, watchedDesk } from '../../support/desks.ts'

const box = 'local.vatom::Box::v1'
const set = `${box}::Set`
const theirs = 'rival.example::Tea::v1'
const child = `${theirs}::Green`
const warning = `${child} is of another publisher than local.vatom: no vAtom can be emitted that is to contain it`
const hint = 'a child_policy names only variations of its own publisher: name one of local.vatom'
const final = 'unpublished: false\n'

/** A folder whose child_policy names a published variation of another publisher, which others can read or not. */
async function withRival(transport: (typeof transports)[number], isPublic: boolean) {
  const desk = await watchedDesk(transport)
  const send = await rival(desk)
  const state = { public: isPublic, unpublished: false }
  await send('POST', '/v1/templates', bodies.template({ template: theirs, ...state }))
  const body = bodies.variation({ template: theirs, template_variation: child, ...state })
  await send('POST', '/v1/template_variations', body)
  const folder = folderTemplate(box, `[{ template_variation: '${child}', count: 1 }]`)
  desk.file('shop/vatom.yaml', 'catalog: shop\n')
  desk.file('shop/box.yaml', published(folder))
  desk.file('shop/face.yaml', face(box))
  return { ...desk, folder }
}

const readable = [true, false] as const
const all = transports.flatMap((transport) => readable.map((isPublic) => [transport, isPublic] as const))

test.each(all)(
  "on the %s transport, a child_policy that names another publisher's variation (public: %s) is warned of, and refused for a variation, with what to write",
  async (transport, isPublic) => {
    const { file, run, vatom } = await withRival(transport, isPublic)
    const planned = await vatom('plan', 'shop')
    expect(planned).toMatchObject({ code: 0, err: expect.stringContaining(`warning[child-publisher]: ${warning}`) })
    expect(planned.err).not.toContain('child-missing')
    file('shop/set.yaml', variation(set, box, final))
    const { code, out } = await run(['plan', 'shop', '--json'])
    const error = { message: `${child} belongs to another publisher`, hint }
    expect({ code, results: JSON.parse(out).results }).toMatchObject({
      code: 1,
      results: [{ name: box }, { name: set, status: 'refused', error }, {}],
    })
  },
)

test.each(transports)(
  "on the %s transport, create and publish warn of another publisher's variation in a child_policy before it is final",
  async (transport) => {
    const { file, folder, vatom } = await withRival(transport, false)
    const created = await vatom('template', 'create', file('draft.yaml', folder))
    expect(created).toMatchObject({ code: 0, err: expect.stringContaining(warning) })
    const path = 'vatom.vAtom::vAtomType.child_policy[0].template_variation'
    expect(await vatom('template', 'publish', box, '--confirm', box, '--dry-run')).toMatchObject({
      code: 0,
      err: expect.stringContaining(`warning: ${path}: ${warning}\n`),
    })
    expect(created.err.split(warning)).toHaveLength(2)
  },
)
