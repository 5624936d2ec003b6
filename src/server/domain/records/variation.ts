import { limits } from '../../../contract/limits.ts'
import { overlayDrafts, overlayIssues } from '../../../contract/rules/overlay-rules.ts'
import { capped, type Draft, type Issue } from '../../../contract/schema/issues.ts'
import { printPath } from '../../../contract/schema/path.ts'
import { flatPrices, type Section, sectionOf, textPrices, typedEth } from '../../../contract/vatom/complete.ts'
import { resolveChain, resolveVatom } from '../../../contract/vatom/overlay.ts'
import type { Steps } from '../../store/slices.ts'
import type { TemplateRow } from '../../store/templates.ts'
import type { VariationRow } from '../../store/variations.ts'
import { found, known } from '../access.ts'
import type { ByAnybody, Moment, Warned } from '../caller.ts'
import { JsonText } from '../json-text.ts'
import { refusal, wireIssue } from '../refusal.ts'
import { recordMeta } from './meta.ts'
import { settle } from './rules.ts'
import { eosOf, ethOf, vatomOf } from './template.ts'

/** The sections of a variation itself, which overwrite its template's. */
interface Overrides {
  readonly vatom?: Section
  readonly eth?: Section
  readonly eos?: Section
}
/** The sections in a request; `null` removes one. */
interface Sent {
  readonly vatom?: Section | undefined
  readonly eth?: Section | null | undefined
  readonly eos?: Section | null | undefined
}

/** A variation's own part after a request, as it is stored: prices flat, values of chain fields typed. */
export function newOverrides(sent: Sent, before: Overrides = {}): Overrides {
  const vatom = sent.vatom ? flatPrices(sent.vatom) : before.vatom
  const [eth, eos] = [chainOverrides(sent.eth, before.eth), chainOverrides(sent.eos, before.eos)]
  return { ...(vatom && { vatom }), ...(eth && { eth }), ...(eos && { eos }) }
}

function chainOverrides(sent: Section | null | undefined, before: Section | undefined): Section | undefined {
  if (sent === undefined) return before
  return sent ? typedEth(sent) : undefined
}

/** The overrides of a stored variation. */
export const overridesOf = (row: VariationRow): Overrides => sectionOf(JSON.parse(row.overrides))

/** The sections of a stored template, which its variations overwrite. */
export const sectionsOf = (template: TemplateRow) => ({
  vatom: vatomOf(template),
  eth: ethOf(template),
  eos: eosOf(template),
})
type Base = ReturnType<typeof sectionsOf>

/**
 * The sections of the vAtoms of a variation, in steps. Adds warnings to the answer, and throws `overlay` for what a variation
 * may not overwrite. Spec 2.5.
 */
export function* resolve(scope: Warned, template: TemplateRow, overrides: Overrides): Steps<Section> {
  const base = sectionsOf(template)
  yield
  settle(scope, overlayIssues(overrides, base), () => 'overlay')
  yield
  return resolvedSections(base, overrides)
}

/** Refuses, in steps, a change of a template that conflicts with what its variations overwrite; the path is the template's. */
export function* checkFollowers(scope: Warned, base: Base, variations: Iterable<VariationRow>): Steps<void> {
  const errors: Issue[] = []
  let count = 0
  for (const variation of variations) {
    const { name } = variation
    const drafts = overlayDrafts(overridesOf(variation), base)
    count += drafts.filter(isError).length
    for (const draft of drafts.slice(0, limits.issues)) {
      const found = conflict(name, draft)
      if (isError(found)) errors.push(found)
      else scope.warn({ code: found.rule, ...wireIssue(found), about: name })
    }
    errors.splice(limits.issues)
    yield
  }
  if (errors.length > 0)
    throw refusal(
      'overlay',
      capped(errors, (issue) => issue, count),
    )
}

const isError = ({ severity }: Pick<Issue, 'severity'>) => severity === 'error'

const conflict = (name: string, { path, message, ...draft }: Draft): Issue => ({
  ...draft,
  path: path.slice(0, 1),
  message: `the variation ${name} overwrites ${printPath(path)}: ${message}`,
  hint: 'change the variation first',
})

/** The same as `resolve` for overrides that were checked already. */
export function resolvedSections(base: Base, overrides: Overrides): Section {
  const vatom = textPrices(resolveVatom(base.vatom, overrides.vatom))
  return {
    ...vatom,
    ...(base.eth && { eth: resolveChain(base.eth, overrides.eth) }),
    ...(base.eos && { eos: resolveChain(base.eos, overrides.eos) }),
  }
}

/** A variation as it is answered. */
export const variationRecord = ({ store }: Moment, row: VariationRow) => ({
  name: row.name,
  public: row.public === 1,
  meta: recordMeta(row, 'v1::TemplateVariationType'),
  properties: {
    template: row.template,
    publisher_fqdn: row.publisher_fqdn,
    unpublished: row.unpublished === 1,
    auto_create_on_acquire: row.auto_create_on_acquire === 1,
    cloning_gain: row.cloning_gain,
    max_clones: row.max_clones,
    ...(row.unpublished === 1 && {
      num_vatoms: store.vatoms.countOwned(row.name),
      num_trashed: store.vatoms.countTrashed(row.name),
    }),
    num_clones: row.num_clones,
    max_clones_reached: row.max_clones !== null && row.num_clones >= row.max_clones,
    template_variation: new JsonText(row.resolved),
    overrides: new JsonText(row.overrides),
  },
})

/** The variation of a name. Throws `notFound`, also for what the caller may not know of. */
export const knownVariation = (scope: ByAnybody, name: string): VariationRow =>
  found(known(scope, scope.store.variations.byName(name)), `template variation is named ${name}`)
