import { type Permit, type StandardAction, standardActions } from '../kinds/standard-actions.ts'
import { at } from '../schema/path.ts'
import { platformScheme, vatomType } from '../values.ts'
import type { Catalog, Member } from './catalog.ts'
import type { CatalogRule } from './catalog-rules.ts'
import type { Finding } from './rule.ts'

const holding = standardActions.filter(({ on }) => on !== undefined)

/** The rule of standard actions that do something with vAtoms of some root types only. */
export const containerAction: CatalogRule = {
  name: 'container-action',
  spec: '2.4',
  kinds: ['action'],
  severity: 'warning',
  summary: `an action for folders, packages or discover containers is of a template with such vAtoms: ${holding.map(({ name }) => name).join(', ')}`,
  check(self, catalog) {
    const on = holding.find(({ reactor }) => at(self.value, 'reactor') === reactor)?.on
    const template = on && catalog.template(self.template)
    const isOne = ({ value }: Member) => on?.rootTypes.has(at(value, ...vatomType, 'root_type'))
    if (!template || isOne(template) || catalog.of(template.name, 'variation').some(isOne)) return []
    const [usual] = on.rootTypes
    const message = `this action is for ${on.what}: no vAtom of the template at ${template.place()} is one`
    return [{ path: ['reactor'], message, hint: `there, write root_type: ${usual}; or delete the action` }]
  },
}

/** The rule of a standard action that is of a template with such vAtoms or variations, as nobody can perform it on others. */
const ruleFor = ({ name, reactor }: StandardAction, such: string, find: CatalogRule['check']): CatalogRule => ({
  name: `${name.toLowerCase()}-action`,
  spec: '2.4',
  kinds: ['action'],
  severity: 'warning',
  summary: `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name} action is of a template with ${such}: nobody can perform it on others`,
  check: (self, catalog) => (at(self.value, 'reactor') === reactor ? find(self, catalog) : []),
})

/** Rules of standard actions that nobody can perform on any vAtom of their template, as none of its variations is open for it. */
export const openVariations: readonly CatalogRule[] = standardActions.flatMap((action) => {
  const { opens } = action
  if (opens === undefined) return []
  return [
    ruleFor(action, `a variation that has ${opens.join(' and ')}`, (self, catalog) => closed(opens, self, catalog)),
  ]
})

function closed(opens: readonly string[], self: Member, catalog: Catalog): Finding[] {
  const template = catalog.template(self.template)
  const variations = catalog.of(self.template, 'variation')
  const isOpen = ({ value }: Member) => opens.every((field) => at(value, field) === true)
  if (!template || variations.length === 0 || variations.some(isOpen)) return []
  const fields = opens.join(' and ')
  const message = `nobody can perform this action: no variation of the template at ${template.place()} has ${fields}`
  const hint = `write ${opens.map((field) => `${field}: true`).join(' and ')} into a variation, or delete the action`
  return [{ path: ['reactor'], message, hint }]
}

/** Rules of standard actions that nobody can perform on any vAtom of their template, as a property of it forbids them. */
export const permittedActions: readonly CatalogRule[] = standardActions.flatMap((action) => {
  const { permit } = action
  if (permit === undefined) return []
  return [ruleFor(action, `${permit.property} vAtoms`, (self, catalog) => forbidden(permit, self, catalog))]
})

function forbidden(permit: Permit, { template: name }: Member, catalog: Catalog): Finding[] {
  const template = catalog.template(name)
  if (template === undefined || isPermitted(permit, template, catalog)) return []
  const { property, beside, path } = permit
  const message = `nobody can perform this action: no vAtom of the template at ${template.place()} is ${property}`
  const isThere = at(template.value, ...path) !== undefined
  const permitting = isThere ? `there, change ${property} to true` : `there, write ${property}: true beside ${beside}`
  return [{ path: ['reactor'], message, hint: `${permitting}, or delete the action` }]
}

/** Whether the template, one of its variations, or an action of the publisher's own may permit it. */
function isPermitted({ path, unset, mayChange }: Permit, template: Member, catalog: Catalog): boolean {
  if ((at(template.value, ...path) ?? unset) === true) return true
  if (catalog.of(template.name, 'variation').some(({ value }) => at(value, ...path) === true)) return true
  return mayChange === true && catalog.of(template.name, 'action').some(isOwn)
}

function isOwn({ value }: Member): boolean {
  const reactor = at(value, 'reactor')
  return typeof reactor === 'string' && !reactor.startsWith(platformScheme)
}
