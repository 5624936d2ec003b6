import { expect, test } from 'vitest'
import type * as z from 'zod/v4'
import { schemaIssues } from '../../src/contract/issues.ts'
import { printPath } from '../../src/contract/path.ts'
import { ListQuery, TemplateUpdate } from '../../src/contract/template.ts'
import { Login, Registration } from '../../src/contract/user.ts'
import { VariationUpdate } from '../../src/contract/variation.ts'
import { bodies } from './documents.ts'

function told(schema: z.ZodType, body: unknown): string[] {
  const result = schema.safeParse(body)
  if (result.success) return []
  return schemaIssues(schema, body, result.error).map(
    ({ path, message, hint }) => `${printPath(path)}: ${message}${hint ? ` (${hint})` : ''}`,
  )
}
const token = { token: 'ada@acme.example', token_type: 'email' }
const register = { user_tokens: [token] }
const login = { ...token, auth_data: { password: 'secret' } }
const fixed = 'template: template cannot be set here (a name cannot be changed)'

test.each<[string, z.ZodType, unknown, string[]]>([
  ['§3 publish a template', TemplateUpdate, { unpublished: false }, []],
  ['§3 change a draft', TemplateUpdate, { public: true, cloneable: true, vatom: bodies.template().vatom }, []],
  ['§3 no change', TemplateUpdate, {}, []],
  ['§3 rename a template', TemplateUpdate, { template: 'acme::B' }, [fixed]],
  [
    '§3 publish by a word',
    TemplateUpdate,
    { unpublished: 'no' },
    ['unpublished: must be true or false, not the string "no"'],
  ],
  [
    '§3 half a vatom section',
    TemplateUpdate,
    { vatom: {} },
    ['vatom.vAtom::vAtomType: vatom.vAtom::vAtomType is required'],
  ],
  ['§3 publish a variation', VariationUpdate, { unpublished: false }, []],
  [
    '§2.5 cloneable in a variation',
    VariationUpdate,
    { cloneable: true },
    ['cloneable: cloneable cannot be set here (the template fixes cloneable; a variation cannot overwrite it)'],
  ],
  [
    '§2.5 another template',
    VariationUpdate,
    { template: 'x' },
    ['template: template cannot be set here (it cannot be changed)'],
  ],
  ['§4 register', Registration, register, []],
  ['§4 register with keys of a newer client', Registration, { ...register, avatar_uri: '', is_primary: true }, []],
  ['§4 register with unset fields', Registration, { ...register, birthday: '', language: '', password: '' }, []],
  ['§4 register without a token', Registration, {}, ['user_tokens: user_tokens is required']],
  ['§4 register with no token', Registration, { user_tokens: [] }, ['user_tokens: must have at least one entry']],
  [
    '§4 register with too many tokens',
    Registration,
    { user_tokens: Array(11).fill(token) },
    ['user_tokens: must have at most 10 entries'],
  ],
  [
    '§8 register with a long name',
    Registration,
    { ...register, last_name: 'x'.repeat(65) },
    ['last_name: must have at most 64 characters'],
  ],
  ['§5 login', Login, login, []],
  ['§5 login with further keys', Login, { ...login, device: 'x' }, []],
  ['§5 login without a token', Login, { ...login, token: '' }, ['token: must not be empty']],
  [
    '§5 login without a password',
    Login,
    { ...login, auth_data: {} },
    ['auth_data.password: auth_data.password is required'],
  ],
  ['§4 list', ListQuery, {}, []],
  ['§4 list a page', ListQuery, { limit: '0', page: '12', fields: 'name,properties(publisher_fqdn)' }, []],
  [
    '§4 list nonsense',
    ListQuery,
    { limit: '-1', page: '1e3' },
    ['limit: must be a whole number', 'page: must be a whole number'],
  ],
  ['§4 list beyond numbers', ListQuery, { limit: '9'.repeat(10) }, ['limit: must be a whole number']],
])('%s', (_what, schema, body, expected) => expect(told(schema, body)).toEqual(expected))
