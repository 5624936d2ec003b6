import { capped, type Issue, word } from '../schema/issues.ts'
import { at, listAt, type Path } from '../schema/path.ts'
import { didYouMean, nameList } from '../schema/suggest.ts'
import type { KindName } from '../values.ts'
import { childPolicyAgrees, childPolicyEnforced } from '../vatom/child-policy.ts'
import { configKeys, idleSettings } from './action-settings.ts'
import {
  actionName,
  boundedSize,
  childPolicyContainer,
  eosUnspecified,
  nativeFace,
  nativePackage,
  platformReactor,
  publisherName,
  queryContainer,
  redeemableCommerce,
  resourceTypePrefix,
  resourceUrl,
  stateChange,
  uniqueNames,
  validity,
  vatomType,
  versionedName,
} from './document-checks.ts'
import { faceConfig, faceConfigResources } from './face-config.ts'
import type { Facts, Rule } from './rule.ts'

/** What a schema cannot say about a single document, in the order it is reported. */
export const rules: readonly Rule[] = [
  {
    name: 'publisher-name',
    spec: '2.2',
    kinds: ['template', 'variation', 'action'],
    severity: 'error',
    summary: "a name begins with the publisher's domain name and ::",
    check: publisherName,
  },
  {
    name: 'name-version',
    spec: '9',
    kinds: ['template'],
    severity: 'warning',
    summary: 'a template name ends with its version, ::v1',
    check: versionedName,
  },
  {
    name: 'redeemable-commerce',
    spec: '2.4',
    kinds: ['template'],
    severity: 'error',
    summary: 'a redeemable vAtom has commerce',
    check: redeemableCommerce,
  },
  {
    name: 'unique-states',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'error',
    summary: 'names in states are unique',
    check: uniqueNames('states'),
  },
  {
    name: 'unique-resources',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'error',
    summary: 'names in resources are unique',
    check: uniqueNames('resources'),
  },
  {
    name: 'size',
    spec: '2.4',
    kinds: ['template', 'variation', 'face', 'action'],
    severity: 'error',
    summary: 'a vatom section has at most 64 KB as JSON, as has a face or an action, and an eth or eos section 8 KB',
    check: boundedSize,
  },
  {
    name: 'query-container',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'error',
    summary: 'query stands only in a discover container',
    check: queryContainer,
  },
  {
    name: 'child-policy-container',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'error',
    summary: 'child_policy stands only in a defined folder',
    check: childPolicyContainer,
  },
  {
    name: 'child-policy',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'error',
    summary: 'a child_policy has one entry a variation, and its counts agree',
    check: childPolicyAgrees,
  },
  {
    name: 'child-policy-enforced',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'a bound on the number of children has an effect only where it is enforced',
    check: childPolicyEnforced,
  },
  {
    name: 'state-change-ignored',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'on_state_change is not implemented by the platform',
    check: stateChange,
  },
  {
    name: 'resource-type-prefix',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'a resource type begins with ResourceType::',
    fixes: true,
    check: resourceTypePrefix,
  },
  {
    name: 'resource-url',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'a resource that is a URL has one that iOS reads: it leaves out the others',
    check: resourceUrl,
  },
  {
    name: 'validity',
    spec: '2.4',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'a price is valid on some day: valid_from is not after valid_through',
    check: validity,
  },
  {
    name: 'native-package',
    spec: '4.5',
    kinds: ['face'],
    severity: 'warning',
    summary: 'the package_url of a native face is its display_url, or "."',
    fixes: true,
    check: nativePackage,
  },
  {
    name: 'native-face',
    spec: '4.5',
    kinds: ['face'],
    severity: 'warning',
    summary: 'a native display_url is one viewers bring along',
    check: nativeFace,
  },
  {
    name: 'face-config',
    spec: '4.5',
    kinds: ['face'],
    severity: 'warning',
    summary: 'config holds what the native face reads, as it reads it',
    fixes: true,
    check: faceConfig,
  },
  {
    name: 'action-name',
    spec: '4',
    kinds: ['action'],
    severity: 'error',
    summary: 'an action is named <template>::Action::<Name>',
    fixes: true,
    check: actionName,
  },
  {
    name: 'action-reactor',
    spec: '4',
    kinds: ['action'],
    severity: 'warning',
    summary: 'a blockv:// reactor is one the platform has',
    fixes: true,
    check: platformReactor,
  },
  {
    name: 'action-config',
    spec: '4',
    kinds: ['action'],
    severity: 'warning',
    summary: "config is spelt as the platform's reactors read it",
    fixes: true,
    check: configKeys,
  },
  {
    name: 'action-ignored',
    spec: '4',
    kinds: ['action'],
    severity: 'warning',
    summary: 'rollback, policy.rule and action_notification.custom are left out: they have no effect',
    check: idleSettings,
  },
  {
    name: 'eos-unspecified',
    spec: '2.2',
    kinds: ['template', 'variation'],
    severity: 'warning',
    summary: 'an eos section is kept, and written to no chain',
    check: eosUnspecified,
  },
]

/** All findings of the rules for a kind of document. */
export const ruleIssues = (kind: KindName, document: unknown, facts: Facts): Issue[] =>
  rules
    .filter((rule) => rule.kinds.includes(kind))
    .flatMap((rule) =>
      capped(rule.check(document, facts, kind), (finding) => ({
        ...finding,
        rule: rule.name,
        severity: rule.severity,
        spec: rule.spec,
      })),
    )

/**
 * Resources of a face, and those its config names, that its template does not have; the latter are warnings, since a
 * vAtom without them is shown all the same. Spec 4.5; the template is looked up by the caller.
 */
export function faceResourceIssues(face: unknown, template: unknown): Issue[] {
  const names = listAt(template, ...vatomType, 'resources').flatMap((entry) => {
    const name = at(entry, 'name')
    return typeof name === 'string' ? [name] : []
  })
  const listed = [...listAt(face, 'resources').entries()].map(([index, name]) => ({ path: ['resources', index], name }))
  return [
    ...missing(listed, names, { rule: 'face-resource', severity: 'error' }),
    ...missing(faceConfigResources(face), names, { rule: 'face-config-resource', severity: 'warning' }),
  ]
}

type Named = { readonly path: Path; readonly name: unknown }

function missing(named: readonly Named[], names: readonly string[], rule: Pick<Issue, 'rule' | 'severity'>): Issue[] {
  const known: ReadonlySet<unknown> = new Set(names)
  return capped(
    named.filter(({ name }) => !known.has(name)),
    ({ path, name }) => ({
      path,
      ...rule,
      spec: '4.5',
      message: `the template has no resource ${word(name)}`,
      hint: didYouMean(name, names) ?? `its resources: ${nameList(names)}`,
    }),
  )
}
