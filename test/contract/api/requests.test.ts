import { expect, test } from 'vitest'
import type * as z from 'zod/v4'
import { Login, Registration } from '../../../src/contract/api/session.ts'
import { VatomsUpdate } from '../../../src/contract/api/vatom.ts'
import { ActionInput } from '../../../src/contract/api/vatom-action.ts'
import { ActionHandler, ActionListQuery, ActionUpdate } from '../../../src/contract/kinds/action-schemas.ts'
import { FaceUpdate } from '../../../src/contract/kinds/face-schemas.ts'
import { ListQuery, TemplateUpdate, VariationListQuery } from '../../../src/contract/kinds/template-schemas.ts'
import { VariationUpdate } from '../../../src/contract/kinds/variation-schemas.ts'
import { limits } from '../../../src/contract/limits.ts'
import { schemaIssues } from '../../../src/contract/schema/issues.ts'
import { printPath } from '../../../src/contract/schema/path.ts'
import { bodies } from '../../fixtures/samples.ts'

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
const onChain = { network: 'testnet', fields: { points: { type: 'uint', value: 1 } } }
const handler = (fields: object = {}) => ({ reactor: 'acme://stamp', url: 'http://127.0.0.1:9/stamp', ...fields })
const long = (length: number) => 'https://acme.example/'.padEnd(length, 'x')
const required = (place: string) => `${place}: ${place} is required`
const bool = (field: string) => `${field}: must be true or false, not null`
/** What is sent, to what schema, and what is said of it. */
type Row = [what: string, schema: z.ZodType, body: unknown, told: string[]]
const fixed = 'template: template cannot be set here (a name cannot be changed)'

test.each<Row>([
  ['§3 publish a template', TemplateUpdate(), { unpublished: false }, []],
  ['§3 change a draft', TemplateUpdate(), { public: true, cloneable: true, vatom: bodies.template().vatom }, []],
  ['§3 no change', TemplateUpdate(), {}, []],
  ['§3 rename a template', TemplateUpdate(), { template: 'acme::B' }, [fixed]],
  [
    '§3 publish by a word',
    TemplateUpdate(),
    { unpublished: 'no' },
    ['unpublished: must be true or false, not the string "no"'],
  ],
  [
    '§3 half a vatom section',
    TemplateUpdate(),
    { vatom: {} },
    ['vatom.vAtom::vAtomType: vatom.vAtom::vAtomType is required'],
  ],
  ['§3 publish a variation', VariationUpdate(), { unpublished: false }, []],
  [
    '§2.5 cloneable in a variation',
    VariationUpdate(),
    { cloneable: true },
    ['cloneable: cloneable cannot be set here (the template fixes cloneable; a variation cannot overwrite it)'],
  ],
  [
    '§2.5 another template',
    VariationUpdate(),
    { template: 'x' },
    ['template: template cannot be set here (it cannot be changed)'],
  ],
  ...['eth', 'eos'].flatMap((section): Row[] => [
    [`§3 take ${section} from a template`, TemplateUpdate(), { [section]: null }, []],
    [`§3 replace ${section} of a template`, TemplateUpdate(), { [section]: onChain }, []],
    [`§3 half of ${section}`, TemplateUpdate(), { [section]: { fields: {} } }, [required(`${section}.network`)]],
    [`§3 take ${section} from a variation`, VariationUpdate(), { [section]: null }, []],
    [`§3 replace ${section} of a variation`, VariationUpdate(), { [section]: onChain }, []],
  ]),
  ...['unpublished', 'public', 'cloneable'].map(
    (field): Row => [`§3 ${field} is not taken away`, TemplateUpdate(), { [field]: null }, [bool(field)]],
  ),
  ['§3 vatom is not taken away', TemplateUpdate(), { vatom: null }, ['vatom: must be an object, not null']],
  ['§2.5 any number of clones', VariationUpdate(), { max_clones: null }, []],
  ['§2.5 some clones', VariationUpdate(), { max_clones: 5, cloning_gain: 0.5 }, []],
  [
    '§2.5 no clones',
    VariationUpdate(),
    { max_clones: 0 },
    ['max_clones: must be at least 1; leave it out for any number of clones'],
  ],
  ['§2.5 no gain', VariationUpdate(), { cloning_gain: null }, ['cloning_gain: must be a number, not null']],
  ...['unpublished', 'public', 'auto_create_on_acquire'].map(
    (field): Row => [`§3 ${field} is not taken away`, VariationUpdate(), { [field]: null }, [bool(field)]],
  ),
  ['§3 vatom is not taken away', VariationUpdate(), { vatom: null }, ['vatom: must be an object, not null']],
  [
    '§2.5 another name',
    VariationUpdate(),
    { template_variation: 'x' },
    ['template_variation: template_variation cannot be set here (a name cannot be changed)'],
  ],
  [
    '§2.5 redeemable beside vatom',
    VariationUpdate(),
    { redeemable: true },
    ['redeemable: redeemable cannot be set here (write it under vatom, vAtom::vAtomType)'],
  ],
  ['§2.6 change nothing of a face', FaceUpdate(), {}, []],
  ['§2.6 change one constraint', FaceUpdate(), { constraints: { view_mode: 'card' } }, []],
  ['§2.6 change no constraint', FaceUpdate(), { constraints: {} }, []],
  [
    '§2.6 change a whole face',
    FaceUpdate(),
    {
      display_url: 'https://a.example',
      package_url: '.',
      resources: [],
      config: {},
      constraints: bodies.face().constraints,
    },
    [],
  ],
  [
    '§2.6 a constraint that is none',
    FaceUpdate(),
    { constraints: { view_mod: 'card' } },
    ['constraints.view_mod: unknown field view_mod in constraints (did you mean view_mode?)'],
  ],
  [
    '§2.6 values that are none',
    FaceUpdate(),
    { display_url: 'image', package_url: '', resources: 'A', constraints: { gps: 1 } },
    [
      'display_url: must be native://<view> or https://<url>',
      'package_url: must not be empty',
      'constraints.gps: must be true or false, not 1',
      'resources: must be a list, not the string "A"',
    ],
  ],
  ...['display_url', 'package_url', 'constraints', 'resources', 'config'].map(
    (field): Row => [
      `§2.6 ${field} is not taken away`,
      FaceUpdate(),
      { [field]: null },
      [expect.stringMatching(/, not null$/)],
    ],
  ),
  [
    '§2.6 another template, id and meta',
    FaceUpdate(),
    { template: 'x', id: 'x', meta: {}, properties: {} },
    [
      'template: template cannot be set here (a face stays with its template)',
      'id: id cannot be set here (it cannot be changed)',
      'meta: meta cannot be set here (it cannot be changed)',
      'properties: properties cannot be set here (write the fields of properties at the top level)',
    ],
  ],
  ['§4 change nothing of an action', ActionUpdate(), {}, []],
  ['§4 change an action', ActionUpdate(), { reactor: 'acme://a', timeout: 1, wait: true, config: {}, policy: {} }, []],
  ...['reactor', 'wait', 'timeout', 'config', 'policy', 'params', 'state_impact', 'action_notification'].map(
    (field): Row => [
      `§4 ${field} is not taken away`,
      ActionUpdate(),
      { [field]: null },
      [expect.stringMatching(/, not null$/)],
    ],
  ),
  ['§4 an action longer than allowed', ActionUpdate(), { timeout: 60_001 }, ['timeout: must be at most 60000']],
  [
    '§4 another name of an action',
    ActionUpdate(),
    { name: 'x', template: 'y' },
    [
      'name: name cannot be set here (a name cannot be changed)',
      'template: template cannot be set here (an action stays with its template)',
    ],
  ],
  ['§4 a handler', ActionHandler(), handler(), []],
  ['§4 a handler elsewhere', ActionHandler(), handler({ url: 'https://acme.example:8443/a?b=c' }), []],
  ['§4 a handler without an address', ActionHandler(), { reactor: 'acme://stamp' }, [required('url')]],
  ['§4 a handler without a reactor', ActionHandler(), { url: 'https://acme.example' }, [required('reactor')]],
  ...['blockv://v1/Transfer', 'blockv://own'].map(
    (reactor): Row => [
      `§4 a handler for ${reactor}`,
      ActionHandler(),
      handler({ reactor }),
      ["reactor: blockv:// is the platform's: choose a scheme of your own, such as your domain name: acme.com://stamp"],
    ],
  ),
  [
    '§4 a handler for a platform in capitals',
    ActionHandler(),
    handler({ reactor: 'BLOCKV://v1/Transfer' }),
    ['reactor: must look like blockv://v1/Transfer or, with a scheme of your own in lower case, acme://stamp'],
  ],
  ...['ftp://acme.example', 'file:///etc/passwd', 'javascript:alert(1)', 'acme.example', ''].map(
    (url): Row => [
      `§4 a handler at ${JSON.stringify(url)}`,
      ActionHandler(),
      handler({ url }),
      ['url: must be an http:// or https:// address'],
    ],
  ),
  ...['reactor', 'url'].flatMap((key) =>
    ['\u0000', '\u001b', '\u0085'].map(
      (char): Row => [
        `§4 a handler whose ${key} has ${JSON.stringify(char)}`,
        ActionHandler(),
        handler({ [key]: key === 'url' ? `https://acme.example/${char}` : `acme://x${char}y` }),
        [`${key}: must not contain control characters`],
      ],
    ),
  ),
  ['§4 a handler far away', ActionHandler(), handler({ url: long(limits.url) }), []],
  [
    '§4 a handler too far away',
    ActionHandler(),
    handler({ url: long(limits.url + 1) }),
    ['url: must have at most 2048 characters'],
  ],
  [
    '§4 a handler with a secret',
    ActionHandler(),
    handler({ secret: 'x' }),
    [expect.stringMatching(/^secret: unknown field secret/)],
  ],
  ['§4 move one', VatomsUpdate(), { ids: ['a'], parent_id: '.' }, []],
  ['§4 move many', VatomsUpdate(), { ids: Array(limits.ids).fill('a'), parent_id: 'b' }, []],
  ['§4 move none', VatomsUpdate(), { ids: [], parent_id: '.' }, ['ids: must have at least one entry']],
  [
    '§4 move too many',
    VatomsUpdate(),
    { ids: Array(limits.ids + 1).fill('a'), parent_id: '.' },
    ['ids: must have at most 100 entries'],
  ],
  [
    '§4 move what has no name',
    VatomsUpdate(),
    { ids: [''], parent_id: '' },
    ['ids[0]: must not be empty', 'parent_id: must not be empty'],
  ],
  [
    '§4 move what has too long a name',
    VatomsUpdate(),
    { ids: ['x'.repeat(limits.name + 1)], parent_id: 'x'.repeat(limits.name) },
    ['ids[0]: must have at most 256 characters'],
  ],
  ['§4 move to nowhere', VatomsUpdate(), { ids: ['a'] }, [required('parent_id')]],
  ['§4 move nothing', VatomsUpdate(), { parent_id: '.' }, [required('ids')]],
  ['§4 move by one id', VatomsUpdate(), { ids: 'a', parent_id: '.' }, ['ids: must be a list, not the string "a"']],
  [
    '§4 change more than the folder',
    VatomsUpdate(),
    { ids: ['a'], parent_id: '.', title: 'x' },
    ['title: unknown field title (known fields: ids, parent_id)'],
  ],
  ['§4 perform', ActionInput(), { 'this.id': 'a', 'new.owner.email': 'b', 'geo.pos': { lat: 1 } }, []],
  ['§4 perform on nothing', ActionInput(), {}, [required('this.id')]],
  ['§4 perform on no id', ActionInput(), { 'this.id': '' }, ['this.id: must not be empty']],
  ['§4 list of a template', ActionListQuery(), { template: 'acme::A', limit: '0', page: '1' }, []],
  ['§4 list of no template', ActionListQuery(), {}, [required('template')]],
  ['§4 list of an empty name', ActionListQuery(), { template: '' }, ['template: must not be empty']],
  ['§2.5 list variations', VariationListQuery(), {}, []],
  ['§2.5 list variations of one', VariationListQuery(), { template: 'acme::A', fields: 'name' }, []],
  ['§2.5 list variations of no name', VariationListQuery(), { template: '' }, ['template: must not be empty']],
  ['§4 register', Registration(), register, []],
  ['§4 register with keys of a newer client', Registration(), { ...register, avatar_uri: '', is_primary: true }, []],
  ['§4 register with unset fields', Registration(), { ...register, birthday: '', language: '', password: '' }, []],
  ['§4 register without a token', Registration(), {}, ['user_tokens: user_tokens is required']],
  ['§4 register with no token', Registration(), { user_tokens: [] }, ['user_tokens: must have at least one entry']],
  [
    '§4 register with too many tokens',
    Registration(),
    { user_tokens: Array(11).fill(token) },
    ['user_tokens: must have at most 10 entries'],
  ],
  [
    '§8 register with a long name',
    Registration(),
    { ...register, last_name: 'x'.repeat(65) },
    ['last_name: must have at most 64 characters'],
  ],
  ['§5 login', Login(), login, []],
  ['§5 login with further keys', Login(), { ...login, device: 'x' }, []],
  ['§5 login without a token', Login(), { ...login, token: '' }, ['token: must not be empty']],
  ['§5 login with a guest id alone', Login(), { token: 'x', token_type: 'guest_id' }, []],
  [
    '§5 login with a password that is no text',
    Login(),
    { ...login, auth_data: { password: 1 } },
    ['auth_data.password: must be a string, not 1'],
  ],
  ['§4 list', ListQuery(), {}, []],
  ['§4 list a page', ListQuery(), { limit: '0', page: '12', fields: 'name,properties(publisher_fqdn)' }, []],
  [
    '§4 list nonsense',
    ListQuery(),
    { limit: '-1', page: '1e3' },
    ['limit: must be a whole number', 'page: must be a whole number'],
  ],
  ['§4 list beyond numbers', ListQuery(), { limit: '9'.repeat(10) }, ['limit: must be a whole number']],
])('%s', (_what, schema, body, expected) => expect(told(schema, body)).toEqual(expected))
