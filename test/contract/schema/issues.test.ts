import { describe, expect, test } from 'vitest'
import * as z from 'zod/v4'
import { limits } from '../../../src/contract/limits.ts'
import { schemaIssues } from '../../../src/contract/schema/issues.ts'
import { at, listAt, printPath } from '../../../src/contract/schema/path.ts'
import { nameList, suggest } from '../../../src/contract/schema/suggest.ts'
import { describe as nameOf } from '../../../src/contract/schema/wording.ts'
import { type Body, bodies } from '../../fixtures/samples.ts'
import { put, schemas } from '../../support/issues.ts'

function told(body: Body, document: unknown, spec?: string) {
  const result = schemas[body].safeParse(document)
  return result.success ? [] : schemaIssues(schemas[body], document, result.error, spec)
}

describe('issues in words', () => {
  test('an object that cannot be written as text is no value', () => {
    const document = put(bodies.template(), '~.states.0.name', { toString: 1 })
    expect(told('template', document)).toMatchObject([
      { rule: 'value', message: 'must be "Activated", the only supported state' },
    ])
  })
  test('every problem at once, each at its place', () => {
    const document = put(put(bodies.template(), '~.titel', 'x'), '~.states.0.name', 'Open')
    expect(told('template', document, '2.4')).toEqual([
      {
        path: ['vatom', 'vAtom::vAtomType', 'states', 0, 'name'],
        rule: 'value',
        severity: 'error',
        message: 'must be "Activated", the only supported state',
        spec: '2.4',
      },
      {
        path: ['vatom', 'vAtom::vAtomType', 'titel'],
        rule: 'unknown-field',
        severity: 'error',
        message: 'unknown field titel in vatom.vAtom::vAtomType',
        part: 'key',
        hint: 'did you mean title? it is there already: remove this one',
        spec: '2.4',
      },
    ])
  })
  test.each([
    [undefined, 'a body is required'],
    [null, 'must be an object, not null'],
    ['text', 'must be an object, not the string "text"'],
    [[], 'must be an object, not a list'],
    [12, 'must be an object, not 12'],
  ])('a body of %j: %s', (body, message) => expect(told('face', body)).toMatchObject([{ path: [], message }]))
  test('what is missing is named by its place', () =>
    expect(told('face', put(bodies.face(), 'constraints.gps', undefined))).toMatchObject([
      {
        path: ['constraints', 'gps'],
        rule: 'required',
        message: 'constraints.gps is required',
        hint: 'write false if it does not need GPS',
      },
    ]))
  test.each([
    [
      'title',
      expect.stringMatching(/^it belongs below vatom\.vAtom::vAtomType: move it there; known fields here: template, /),
    ],
    [
      'category',
      expect.stringMatching(/^it belongs below vatom\.vAtom::vAtomType: move it there; known fields here: template, /),
    ],
    ['name', 'write the name of the template into template'],
    ['created', expect.stringMatching(/^known fields: template, /)],
  ])('%s at the top of a template: where it belongs', (field, hint) =>
    expect(told('template', put(put(bodies.template(), '~.title', undefined), field, 'Tea'))).toMatchObject([
      { path: [field], hint },
    ]),
  )
  test('a field at the top of a template that is where it belongs, too, is to be removed', () =>
    expect(told('template', put(put(bodies.template(), 'title', 'Tea'), '~.title', 'Hi'))).toMatchObject([
      {
        path: ['title'],
        hint: expect.stringMatching(
          /^remove it: it belongs below vatom.vAtom::vAtomType, and is there already; known fields here: /,
        ),
      },
    ]))
  test.each(['symbol', 'value'])(
    '%s, which may stand below several objects or deeper, has no place of its own',
    (field) =>
      expect(told('template', put(bodies.template(), field, 'TEA'))).toMatchObject([
        { path: [field], hint: expect.not.stringContaining('it belongs') },
      ]),
  )
  test('a field that is misspelt and may stand further in is taken for the one beside it', () => {
    const schema = z.strictObject({ title: z.string(), inner: z.strictObject({ titel: z.string() }).optional() })
    const input = { titel: 'Tea' }
    expect(schemaIssues(schema, input, schema.safeParse(input).error ?? new z.ZodError([]))).toMatchObject([
      { path: ['titel'], hint: 'did you mean title?', fix: { key: 'title' } },
    ])
  })
  test('a text in the place of a creation policy: what to write', () => {
    const child_policy = [{ template_variation: 'acme::Coupon::v1::Red', creation_policy: 'auto_create' }]
    expect(told('template', put(bodies.template(), '~.child_policy', child_policy))).toMatchObject([
      { rule: 'type', hint: 'write { auto_create: create_new }' },
    ])
  })
  test('a root type is missing: what to write', () =>
    expect(told('template', put(bodies.template(), '~.root_type', undefined))).toMatchObject([
      { rule: 'required', hint: 'write root_type: vAtom::vAtomType if it is no folder, package or the like' },
    ]))
  test.each<[Body, string, unknown, string]>([
    ['template', '~.visibility', 'public', 'write { type: public }'],
    ['template', '~.visibility', 'public', 'write { type: public }'],
    [
      'template',
      '~.visibility',
      'everyone',
      'write { type: public } for everybody, { type: owner } for the owner alone',
    ],
    [
      'template',
      '~.resources.0.value',
      'https://e.example/x.png',
      'write { resourceValueType: ResourceValueType::URI, value: https://e.example/x.png }',
    ],
    ['template', '~.expires', '2027-01-01', 'valid_through in commerce.pricing.value'],
    ['template', '~.kind', 'coupon', 'write root_type'],
    ['face', 'constraints.view_mode', 'detail', 'did you mean engaged?'],
    ['face', 'constraints.view_mode', ['card', 'icon'], 'write one value; for several, write a document for each'],
    ['action', 'reactor', 'Pickup', 'the whole address of the reactor: blockv://v1/Pickup'],
    ['variation', 'max_clones', -1, 'leave it out for any number of clones'],
  ])('what is often written instead, in %s %s: the way to write it', (body, path, value, says) => {
    const [{ message = '', hint = '' } = {}, ...others] = told(body, put(bodies[body](), path, value))
    expect(others).toEqual([])
    expect(`${message}; ${hint}`).toContain(says)
  })
  test('__proto__ is an unknown field', () =>
    expect(told('profile', JSON.parse('{"__proto__":{}}'))).toMatchObject([
      { path: ['__proto__'], rule: 'unknown-field' },
    ]))
  test('a field without a near name is answered with the names there are', () =>
    expect(told('profile', { zzz: 1 })[0]?.hint).toMatch(/^known fields: first_name, last_name/))
  test('the fields of an object with many unknown ones are not listed for each of them', () => {
    const document = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`first_nam${index}`, 1]))
    let listed = 0
    const watched = new Proxy(document, {
      ownKeys: (target) => {
        listed++
        return Reflect.ownKeys(target)
      },
    })
    const { error } = schemas.profile.safeParse(document)
    const [first] = error ? schemaIssues(schemas.profile, watched, error) : []
    expect(first).toMatchObject({ message: 'unknown field first_nam0', hint: 'did you mean first_name?' })
    expect(listed).toBe(0)
  })
  test('at most a hundred are told, and how many more there are', () => {
    const many = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`zzz${index}`, 1]))
    const issues = told('profile', many)
    expect(issues).toHaveLength(limits.issues + 1)
    expect(issues.at(-1)).toMatchObject({ path: [], rule: 'too-many', message: 'and 30 more problems' })
  })
  test('a long field name is shortened and compared with nothing', () => {
    const [issue] = told('profile', { ['x'.repeat(100_000)]: 1 })
    expect(issue?.message).toBe(`unknown field ${'x'.repeat(40)}…`)
  })
})

describe('suggestions', () => {
  const fields = ['title', 'description', 'gps', 'view_mode', 'ok', 'vAtom::vAtomType.owner']
  test.each([
    ['titel', 'title'],
    ['Title', 'title'],
    ['discription', 'description'],
    ['view-mode', 'view_mode'],
    ['viewmode', 'view_mode'],
    ['gp', 'gps'],
    ['owner', 'vAtom::vAtomType.owner'],
    ['OK', 'ok'],
    ['of', undefined],
    ['cat', undefined],
    ['tiger', undefined],
    ['', undefined],
    ['x'.repeat(1000), undefined],
  ])('%s: %s', (word, found) => expect(suggest(word, fields)).toBe(found))
  test('long words are not compared', () => expect(suggest('x'.repeat(65), ['x'.repeat(66)])).toBeUndefined())
  test('the nearest wins', () => expect(suggest('titles', ['title', 'titled'])).toBe('title'))
  test('long lists are cut', () => {
    expect(nameList([])).toBe('none')
    expect(nameList(['a', 'b'])).toBe('a, b')
    expect(nameList(Array.from({ length: 30 }, () => 'n'))).toMatch(/^(n, ){19}n and 10 more$/)
  })
})

describe('places and values', () => {
  test.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 0, 'b'], 'a[0].b'],
    [['vatom', 'vAtom::vAtomType', 'states', 12], 'vatom.vAtom::vAtomType.states[12]'],
  ])('%j is printed %s', (path, text) => expect(printPath(path)).toBe(text))
  test('a path that leads nowhere has no value', () => {
    expect(at({ a: [{ b: 1 }] }, 'a', 0, 'b')).toBe(1)
    expect([at({}, 'toString'), at(null, 'a'), at('text', 'length'), at([], 0)]).toEqual(Array(4).fill(undefined))
    expect([listAt({ a: [1] }, 'a'), listAt({ a: {} }, 'a')]).toEqual([[1], []])
  })
  test.each([
    ['no', 'the string "no"'],
    ['x'.repeat(50), `the string "${'x'.repeat(40)}…"`],
    [[], 'a list'],
    [{}, 'an object'],
    [null, 'null'],
    [1.5, '1.5'],
    [false, 'false'],
  ])('%j is named %s', (value, name) => expect(nameOf(value)).toBe(name))
})
