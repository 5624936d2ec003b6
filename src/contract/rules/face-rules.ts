import { capped, type Issue } from '../schema/issues.ts'
import { at, listAt, type Path } from '../schema/path.ts'
import { didYouMean, nameList, nearestAddress } from '../schema/suggest.ts'
import { word } from '../schema/wording.ts'
import { nativeFaces, vatomType } from '../values.ts'
import { faceConfig, faceConfigResources } from './face-config.ts'
import { nothing, type Rule, type RuleNote } from './rule.ts'

/** A native face has no package of its own: its package_url is its display_url, or ".". Spec 4.5. */
const nativePackage: Rule = {
  name: 'native-package',
  spec: '4.5',
  kinds: ['face'],
  severity: 'warning',
  summary: 'the package_url of a native face is its display_url, or "."',
  fixes: true,
  check(document) {
    const url = at(document, 'display_url')
    const packageUrl = at(document, 'package_url')
    if (typeof url !== 'string' || !url.startsWith('native://') || typeof packageUrl !== 'string') return nothing
    if (packageUrl === url || packageUrl === '.') return nothing
    return [
      {
        path: ['package_url'],
        message: `a native face has no package: its package_url must be ${url}, not ${word(packageUrl)}`,
        hint: `write ${url}`,
        fix: { value: url },
      },
    ]
  },
}

const knownFaces: readonly string[] = nativeFaces

/** A native face that viewers do not include must be registered by them. Spec 4.5. */
const nativeFace: Rule = {
  name: 'native-face',
  spec: '4.5',
  kinds: ['face'],
  severity: 'warning',
  summary: 'a native display_url is one that viewers include',
  check(document) {
    const url = at(document, 'display_url')
    if (typeof url !== 'string' || !url.startsWith('native://') || knownFaces.includes(url)) return nothing
    return [
      {
        path: ['display_url'],
        message: `${url} is shown only by viewers that register it`,
        hint: nearestAddress(url, nativeFaces),
      },
    ]
  },
}

const unreadConfig: Rule = {
  name: 'face-config',
  spec: '4.5',
  kinds: ['face'],
  severity: 'warning',
  summary: 'config has only settings that the native face reads, with values that it understands',
  fixes: true,
  check: faceConfig,
}

/** Rules of faces, in the order they are reported. */
export const faceRules: readonly Rule[] = [nativePackage, nativeFace, unreadConfig]

/** Rules of a face and its template. */
export const faceResourceNotes: readonly RuleNote[] = [
  {
    name: 'face-resource',
    spec: '4.5',
    severity: 'error',
    summary: 'resources of a face are resources of its template',
  },
  {
    name: 'face-config-resource',
    spec: '4.5',
    severity: 'warning',
    summary: "resources that a face's config names are resources of its template",
  },
]

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
