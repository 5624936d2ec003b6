import { isText, type Need, nativeFaceOf } from '../kinds/native-face.ts'
import type { Issue } from '../schema/issues.ts'
import { at, isObject, listAt } from '../schema/path.ts'
import { nameList } from '../schema/suggest.ts'
import type { RuleNote } from './rule.ts'

/** The rule of what a native face needs. */
export const faceNeedsNote = {
  name: 'face-needs',
  severity: 'warning',
  spec: '4.5',
  summary: 'what a native face needs is in its config, or in its template by the names that viewers look for',
} as const satisfies RuleNote

/** What viewers show nothing without, where neither the face nor its template has it; `names` are the template's resources. */
export function faceNeedsIssues(face: unknown, template: unknown, names: readonly string[]): Issue[] {
  const native = nativeFaceOf(face)
  const place = isObject(at(face, 'config')) ? 'config' : 'display_url'
  const lacking = [
    ...(native?.needs ?? []).filter((need) => !isMet(need, face, template, names)).map((need) => lackOf(need, names)),
    ...(native?.needsPolicy ? policyLacks(face, template, names) : []),
  ]
  const { name: rule, severity, spec } = faceNeedsNote
  return lacking.map((lack) => ({ path: [place], rule, severity, spec, ...lack }))
}

type Lack = Pick<Issue, 'message' | 'hint'>

function isMet(
  { setting, usual, isListed }: Need,
  face: unknown,
  template: unknown,
  names: readonly string[],
): boolean {
  const config = at(face, 'config')
  // What a config names is looked up by the rule of its resources.
  if (at(config, setting) !== undefined || usual.some((name) => names.includes(name))) return true
  return (
    (isListed === true && isText(at(face, 'resources', 0))) || (!isObject(config) && isText(ownOf(template, setting)))
  )
}

/** What vAtoms have in `private`, where viewers look if a face has no config. */
const ownOf = (template: unknown, setting: string): unknown => at(template, 'vatom', 'private', setting)

const lackOf = ({ setting, usual }: Need, names: readonly string[]): Lack => ({
  message: `there is no ${setting} in config, and the template has no resource ${usual.join(' or ')}, which viewers show then`,
  hint:
    names.length > 0
      ? `name a resource of the template in config.${setting}: ${nameList(names)}`
      : `add a resource ${usual.join(' or ')} to the template`,
})

const activated = 'ActivatedImage'

function policyLacks(face: unknown, template: unknown, names: readonly string[]): Lack[] {
  const policy = [at(face, 'config', 'image_policy'), ownOf(template, 'image_policy')].find(Array.isArray)
  const hint = `end config.image_policy with an entry that has only a resource: { resource: ${names[0] ?? activated} }`
  if (!policy) return [{ message: 'there is no image_policy in config: Android shows nothing then', hint }]
  const fitsAll = listAt(policy).some((entry) => isText(at(entry, 'resource')) && !isConditional(entry))
  if (fitsAll || names.includes(activated)) return []
  return [
    {
      message: `image_policy has no entry that fits every vAtom, and the template has no resource ${activated}, which viewers show then`,
      hint,
    },
  ]
}

const isConditional = (entry: unknown): boolean =>
  at(entry, 'count_max') !== undefined || at(entry, 'field') !== undefined
