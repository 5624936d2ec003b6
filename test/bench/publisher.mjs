import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { root } from './vatom.mjs'

const headersOf = ({ app_id }, token) => ({
  'App-Id': app_id,
  'Content-Type': 'application/json',
  ...(token && { Authorization: `Bearer ${token}` }),
})

/** Signs in as a running service's publisher: the headers of its calls, and a function that makes one. */
export async function signIn(ready) {
  const { email, password } = ready.publisher
  const call = async (method, route, body, headers) => {
    const response = await fetch(ready.base_url + route, { method, headers, body: body && JSON.stringify(body) })
    const answer = await response.json()
    if (response.ok) return answer.payload
    throw new Error(`${method} ${route}: ${response.status} ${JSON.stringify(answer)}`)
  }
  const login = { token: email, token_type: 'email', auth_data: { password } }
  const session = await call('POST', '/v1/user/login', login, headersOf(ready))
  const headers = headersOf(ready, session.access_token.token)
  return { headers, call: (method, route, body) => call(method, route, body, headers) }
}

const template = 'local.vatom::Bench::v1'

/** Publishes a template and a variation of it on a service; gives their names. */
export async function publishExample({ call }) {
  const text = readFileSync(path.join(root, 'templates-examples/coffee-coupon.yaml'), 'utf8')
  const variation = `${template}::Plain`
  await call('POST', '/v1/templates', { ...parse(text), template, unpublished: false })
  const body = { template_variation: variation, template, unpublished: false }
  await call('POST', '/v1/template_variations', body)
  return { template, variation }
}
