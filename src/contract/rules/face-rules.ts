import { capped, type Draft, type Issue } from '../schema/issues.ts'
import { lazy } from '../schema/lazy-schema.ts'
import { at, listAt, type Path } from '../schema/path.ts'
import { addressHint, didYouMean, nameList } from '../schema/suggest.ts'
import { describe, word } from '../schema/wording.ts'
import { nativeFaces, vatomType } from '../values.ts'
import { faceConfig, faceConfigResources } from './face-config.ts'
import { comparableFields, faceFieldDrafts, faceFieldNote } from './face-fields.ts'
import { faceNeedsIssues, faceNeedsNote } from './face-needs.ts'
import { nothing, type Rule, type RuleNote } from './rule.ts'
import { isUrl } from './vatom-rules.ts'

const ofFaces = { spec: '4.5', kinds: ['face'] } as const

const knownFaces: readonly string[] = nativeFaces
const isWebAddress = (text: string) => /^https?:/i.test(text) && isUrl(text)

const listedResource = { name: 'face-resource', severity: 'error' } as const
const configResource = { name: 'face-config-resource', severity: 'warning' } as const

/** Rules of a face and its template. */
export const faceResourceNotes: readonly RuleNote[] = [
  { ...listedResource, spec: '4.5', summary: 'resources of a face are resources of its template' },
  { ...configResource, spec: '4.5', summary: "resources that a face's config names are resources of its template" },
  faceFieldNote,
  faceNeedsNote,
]

/**
 * Resources of a face, and those its config names, that its template does not have, fields that its policy looks at, and
 * what viewers need beyond these.
 * All but the first are warnings, since a vAtom without them is shown all the same. Spec 4.5; the template is looked up by
 * the caller.
 */
export const faceResourceIssues = (face: unknown, template: unknown): Issue[] =>
  capped(faceDraftsFor(template)(face), (draft) => draft)

/** The same for any face of a template, errors first, before they are counted and hints are made. */
export function faceDraftsFor(template: unknown): (face: unknown) => readonly Draft[] {
  const names = listAt(template, ...vatomType, 'resources').flatMap((entry) => {
    const name = at(entry, 'name')
    return typeof name === 'string' ? [name] : []
  })
  const known: ReadonlySet<unknown> = new Set(names)
  const custom = at(template, 'vatom', 'private')
  const fieldNames = lazy(() => comparableFields(custom))

  const missing = (named: readonly Named[], { name: rule, severity }: Pick<RuleNote, 'name' | 'severity'>): Draft[] =>
    named
      .filter(({ name }) => !known.has(name))
      .map(({ path, name }) => ({
        path,
        rule,
        severity,
        spec: '4.5',
        message: `the template has no resource ${word(name)}`,
        hint: () => didYouMean(name, names) ?? `its resources: ${nameList(names)}`,
      }))
  return (face) => [
    ...missing(
      listAt(face, 'resources').map((name, index) => ({ path: ['resources', index], name })),
      listedResource,
    ),
    ...missing(faceConfigResources(face), configResource),
    ...faceFieldDrafts(face, custom, fieldNames),
    ...faceNeedsIssues(face, template, names),
  ]
}

interface Named {
  readonly path: Path
  readonly name: unknown
}

/** Rules of faces, in the order they are reported. */
export const faceRules: readonly Rule[] = [
  {
    name: 'native-package',
    ...ofFaces,
    severity: 'warning',
    summary: 'the package_url of a native face is its display_url, or "."',
    fixes: 'unless package_url alone is a face that viewers include',
    check(document) {
      const url = at(document, 'display_url')
      const packageUrl = at(document, 'package_url')
      if (typeof url !== 'string' || !url.startsWith('native://') || typeof packageUrl !== 'string') return nothing
      if (packageUrl === url || packageUrl === '.') return nothing
      if (!knownFaces.includes(url) && knownFaces.includes(packageUrl)) {
        const message = `a native face has no package: its package_url and display_url must be the same, not ${packageUrl} and ${url}`
        return [{ path: ['package_url'], message, hint: `write ${packageUrl} in both, or ${url} if apps register it` }]
      }
      const message = `a native face has no package: its package_url must be ${url}, not ${word(packageUrl)}`
      return [{ path: ['package_url'], message, hint: `write ${url}`, fix: { value: url } }]
    },
  },
  {
    name: 'web-package',
    ...ofFaces,
    severity: 'warning',
    summary: 'the package_url of a web face is a URL that viewers can load, or "."',
    check(document) {
      const url = at(document, 'display_url')
      const packageUrl = at(document, 'package_url')
      if (typeof url !== 'string' || !url.startsWith('https://') || typeof packageUrl !== 'string') return nothing
      if (packageUrl === '' || packageUrl === '.' || isWebAddress(packageUrl)) return nothing
      const message = `must be an address that a viewer can load, not ${describe(packageUrl)}`
      return [{ path: ['package_url'], message, hint: `write https://…, or ${url} where there is no package` }]
    },
  },
  {
    name: 'native-face',
    ...ofFaces,
    severity: 'warning',
    summary: 'a native display_url is one that viewers include',
    check(document) {
      const url = at(document, 'display_url')
      if (typeof url !== 'string' || !url.startsWith('native://') || knownFaces.includes(url)) return nothing
      const message = `${url} is shown only by viewers that register it`
      return [{ path: ['display_url'], message, hint: addressHint(url, nativeFaces) }]
    },
  },
  {
    name: 'face-config',
    ...ofFaces,
    severity: 'warning',
    summary: 'config has only settings that the native face reads, with values that it understands',
    fixes: 'quoted numbers',
    check: faceConfig,
  },
]
