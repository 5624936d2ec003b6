import { action, face, resource, template, templateName, variation, variationName } from '../../fixtures/bodies.ts'
import { consoleDesk } from './console-desk.ts'

/** A console with a published variation that has faces and actions, vAtoms of it, and another user. */
export async function shop(count = 2) {
  const desk = await consoleDesk()
  const { call } = desk
  const good = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await call(method, path, body)
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.payload
  }
  const hostile = '<img src=x onerror=document.title=1>'
  await good(
    'POST',
    '/v1/templates',
    template(
      {},
      { title: hostile, transferable: true, resources: [resource('ActivatedImage')] },
      { colour: 'red', points: 1 },
    ),
  )
  await good('POST', '/v1/publisher/face', face({ resources: ['ActivatedImage'] }, { view_mode: 'icon' }))
  const config = { auto_create_non_existing_recipient: true }
  await good('POST', '/v1/publisher/action', action({ wait: true, config }))
  await good(
    'POST',
    '/v1/publisher/action',
    action({ wait: true, reactor: 'blockv://custom/privateproperties' }, 'Update'),
  )
  await good('PATCH', `/v1/templates/${templateName}`, { unpublished: false })
  await good('POST', '/v1/template_variations', variation({ unpublished: false }, { title: hostile }))
  const { ids } = await good('POST', '/v1/vatoms', { template_variation: variationName, num: count })
  const ada = await desk.register('ada@example.com')
  return { ...desk, good, hostile, ada, ids: ids as string[] }
}
