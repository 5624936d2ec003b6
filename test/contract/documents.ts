import type * as z from 'zod/v4'
import { ActionDocument } from '../../src/contract/action.ts'
import { Discover } from '../../src/contract/discover.ts'
import { FaceDocument } from '../../src/contract/face.ts'
import { type Issue, schemaIssues } from '../../src/contract/issues.ts'
import { printPath } from '../../src/contract/path.ts'
import { ruleIssues } from '../../src/contract/rules.ts'
import { TemplateDocument } from '../../src/contract/template.ts'
import { ProfileUpdate } from '../../src/contract/user.ts'
import type { Kind } from '../../src/contract/values.ts'
import { Emission, VariationDocument } from '../../src/contract/variation.ts'

type Json = Record<string, unknown>
export const schemas = {
  template: TemplateDocument,
  variation: VariationDocument,
  face: FaceDocument,
  action: ActionDocument,
  discover: Discover,
  profile: ProfileUpdate,
  emission: Emission,
} as const satisfies Record<string, z.ZodType>
export type Body = keyof typeof schemas

const image = (value: string) => ({ resourceValueType: 'ResourceValueType::URI', value })
/** A valid request body of each sort, new on every call. */
export const bodies = {
  template: (): Json => ({
    template: 'acme::Coupon::v1',
    vatom: {
      'vAtom::vAtomType': {
        root_type: 'vAtom::vAtomType',
        title: 'Coupon',
        states: [{ name: 'Activated', value: { type: 'boolean', value: 'true' } }],
        resources: [
          { name: 'ActivatedImage', resourceType: 'ResourceType::Image::PNG', value: image('https://acme/a.png') },
          { name: 'CardImage', resourceType: 'ResourceType::Image::JPEG', value: image('https://acme/c.jpg') },
        ],
      },
      private: { colour: 'red', size: { width: 1, height: 2 } },
    },
  }),
  variation: (): Json => ({ template_variation: 'acme::Coupon::v1::Red', template: 'acme::Coupon::v1', vatom: {} }),
  face: (): Json => ({
    template: 'acme::Coupon::v1',
    display_url: 'native://image',
    package_url: 'native://image',
    constraints: {
      bluetooth_le: false,
      contact_list: false,
      gps: false,
      three_d: false,
      view_mode: 'icon',
      platform: 'generic',
      quality: 'high',
    },
    resources: ['ActivatedImage'],
  }),
  action: (): Json => ({ name: 'acme::Coupon::v1::Action::Transfer', reactor: 'blockv://v1/Transfer' }),
  discover: (): Json => ({
    scope: { key: 'vAtom::vAtomType.owner', value: '$currentuser' },
    filters: [
      { filter_elems: [{ field: 'vAtom::vAtomType.category', filter_op: 'Eq', value: 'Coupons', bool_op: 'And' }] },
    ],
    return: { type: '*' },
  }),
  profile: (): Json => ({}),
  emission: (): Json => ({ template_variation: 'acme::Coupon::v1::Red', num: 1 }),
} as const satisfies Record<Body, () => Json>

/** Who made and changed a stored record, and when. */
export const meta = {
  created_by: 'x',
  when_created: '2027-03-01T12:00:00Z',
  modified_by: '',
  when_modified: '2027-03-01T12:00:00Z',
  data_type: 'v1::X',
}

/** `~.states.0.name` as steps; `~` is the built-in properties. */
export const steps = (place: string): (string | number)[] =>
  place
    .split('.')
    .flatMap((step): (string | number)[] =>
      step === '~' ? ['vatom', 'vAtom::vAtomType'] : [/^\d+$/.test(step) ? Number(step) : step],
    )

/** A copy with the value at a place; `undefined` takes the field away. Steps in between are made as needed. */
export function put<T>(document: T, place: string, value: unknown): T {
  const copy = structuredClone(document)
  const path = steps(place)
  let here = copy as Record<string | number, unknown>
  for (const [index, step] of path.slice(0, -1).entries()) {
    here[step] ??= typeof path[index + 1] === 'number' ? [] : {}
    here = here[step] as Record<string | number, unknown>
  }
  const last = path.at(-1) ?? ''
  if (value === undefined) delete here[last]
  else here[last] = value
  return copy
}

/** Everything schema and rules find in a body; `acme` is the publisher. */
export function issuesOf(body: Body, document: unknown): Issue[] {
  const schema = schemas[body]
  const result = schema.safeParse(document)
  const found = result.success ? [] : schemaIssues(schema, document, result.error)
  return [...found, ...ruleIssues(body as Kind, document, { publisher: 'acme' })]
}

/** `place rule` of every error, `place` as in `put`. */
export const errorsOf = (body: Body, document: unknown): string[] => told(issuesOf(body, document), 'error')
export const warningsOf = (body: Body, document: unknown): string[] => told(issuesOf(body, document), 'warning')
const told = (issues: readonly Issue[], severity: Issue['severity']) =>
  issues.filter((issue) => issue.severity === severity).map(({ path, rule }) => `${printPath(path)} ${rule}`)

export const places = (place: string): string => printPath(steps(place))
