import type { Finding } from '../rules/rule.ts'
import { at, listAt, type Path, repeatedIn } from '../schema/path.ts'
import { definedFolder, vatomType } from '../values.ts'
import { type Section, sectionOf } from './complete.ts'

/** How an entry of a child_policy governs the children of one variation. Spec 2.4. */
export interface ChildRule {
  readonly variation: string
  /** How many a defined folder is created with: any number between the two, drawn for each folder. */
  readonly created: { readonly least: number; readonly most: number }
  /** How many it must have, and may have, where that is enforced. */
  readonly kept: { readonly least: number; readonly most: number }
}

/** What an entry of a child_policy says. */
export function childRule(entry: unknown): ChildRule {
  const {
    count,
    auto_create_count,
    policy_count_min = 0,
    policy_count_max = Number.POSITIVE_INFINITY,
  } = countsOf(entry)
  const most = auto_create_count ?? count ?? 1
  const variation = at(entry, 'template_variation')
  return {
    variation: typeof variation === 'string' ? variation : '',
    created: { least: isSet(entry, 'auto_create_count_random') ? policy_count_min : most, most },
    kept: {
      least: isSet(entry, 'enforce_policy_count_min') ? policy_count_min : 0,
      most: isSet(entry, 'enforce_policy_count_max') ? policy_count_max : Number.POSITIVE_INFINITY,
    },
  }
}

/** The `child_policy` in built-in properties; only a defined folder has one. Spec 2.4. */
export const childRules = (type: Section): readonly ChildRule[] | undefined =>
  type.root_type === definedFolder ? listAt(type, 'child_policy').map(childRule) : undefined

const isSet = (entry: unknown, name: string) => at(entry, 'creation_policy', name) === true
const numberAt = (value: unknown, ...path: Path) => {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : undefined
}
const countsOf = (entry: unknown) => ({
  count: numberAt(entry, 'count'),
  auto_create_count: numberAt(entry, 'creation_policy', 'auto_create_count'),
  policy_count_min: numberAt(entry, 'creation_policy', 'policy_count_min'),
  policy_count_max: numberAt(entry, 'creation_policy', 'policy_count_max'),
})
type Counts = ReturnType<typeof countsOf>

/** An entry with every key that clients read: iOS leaves out a vAtom where one is missing. Spec 2.4. */
export function completeEntry(entry: unknown): Section {
  const { count, auto_create_count = count ?? 1, policy_count_min = 0, policy_count_max } = countsOf(entry)
  return {
    count: auto_create_count,
    ...sectionOf(entry),
    creation_policy: {
      auto_create: 'create_new',
      auto_create_count,
      auto_create_count_random: false,
      weighted_choices: null,
      policy_count_min,
      policy_count_max: policy_count_max ?? auto_create_count,
      enforce_policy_count_min: false,
      enforce_policy_count_max: false,
      ...sectionOf(at(entry, 'creation_policy')),
    },
  }
}

/** A fault of an entry: where it stands, and what is wrong, if it is. */
type Fault = readonly [place: Path, message: (counts: Counts, rule: ChildRule, entry: unknown) => string | false]
const inPolicy = (field: string): Path => ['creation_policy', field]

const contradictions: readonly Fault[] = [
  [
    ['count'],
    ({ count, auto_create_count: auto = count }) =>
      count !== undefined &&
      count !== auto &&
      `count is ${count} and auto_create_count ${auto}: they mean the same, so give both the same number`,
  ],
  [
    inPolicy('policy_count_min'),
    ({ policy_count_min: least = 0, policy_count_max: most = least }) =>
      least > most && `policy_count_min ${least} is more than policy_count_max ${most}`,
  ],
  [
    inPolicy('policy_count_min'),
    (_counts, { created, kept }) =>
      Math.max(created.least, kept.least) > created.most &&
      `policy_count_min ${Math.max(created.least, kept.least)} is more than the ${created.most} that are created`,
  ],
  [
    inPolicy('policy_count_max'),
    (_counts, { created, kept }) =>
      created.most > kept.most && `policy_count_max ${kept.most} is less than the ${created.most} that are created`,
  ],
  ...(['min', 'max'] as const).map(
    (end): Fault => [
      inPolicy(`enforce_policy_count_${end}`),
      (counts, _rule, entry) =>
        isSet(entry, `enforce_policy_count_${end}`) &&
        counts[`policy_count_${end}`] === undefined &&
        `enforce_policy_count_${end} needs policy_count_${end}`,
    ],
  ),
]

const idle: readonly Fault[] = [
  [
    inPolicy('policy_count_min'),
    ({ policy_count_min }, _rule, entry) =>
      policy_count_min !== undefined &&
      !isSet(entry, 'enforce_policy_count_min') &&
      !isSet(entry, 'auto_create_count_random') &&
      'policy_count_min has no effect: enforce_policy_count_min is not true',
  ],
  [
    inPolicy('policy_count_max'),
    ({ policy_count_max }, _rule, entry) =>
      policy_count_max !== undefined &&
      !isSet(entry, 'enforce_policy_count_max') &&
      'policy_count_max has no effect: enforce_policy_count_max is not true',
  ],
]

/** Where a document's child_policy stands. */
export const childPolicy = [...vatomType, 'child_policy'] as const

const findingsOf = (faults: readonly Fault[], document: unknown): readonly Finding[] =>
  listAt(document, ...childPolicy).flatMap((entry, index) =>
    faults.flatMap(([place, faultIn]) => {
      const message = faultIn(countsOf(entry), childRule(entry), entry)
      return message === false ? [] : [{ path: [...childPolicy, index, ...place], message }]
    }),
  )

/** One entry governs the children of a variation. Spec 2.4. */
const repeated = (document: unknown): readonly Finding[] =>
  repeatedIn(listAt(document, ...childPolicy), 'template_variation').map(({ index, name }) => ({
    path: [...childPolicy, index, 'template_variation'],
    message: `${name} has an entry already: write one entry for each variation`,
  }))

/** The entries of a child_policy can all be followed. Spec 2.4. */
export const childPolicyFaults = (document: unknown): readonly Finding[] => [
  ...repeated(document),
  ...findingsOf(contradictions, document),
]

/** A bound of a child_policy that nothing enforces has no effect. Spec 2.4. */
export const childPolicyIdle = (document: unknown): readonly Finding[] => findingsOf(idle, document)
