import { limits } from '../limits.ts'
import { at } from '../schema/path.ts'
import { actionInfix } from '../values.ts'
import { type Section, sectionOf } from '../vatom/complete.ts'
import type { ActionDocument, ActionUpdate } from './action-schemas.ts'
import { type Changes, changesOf, setting } from './changes.ts'
import type { Kind } from './kind.ts'
import { beyond, textOf } from './minimal.ts'

/** What an action is where its document does not say. */
export const actionDefaults = {
  wait: false,
  rollback: false,
  abort_on_pre_error: true,
  abort_on_post_error: false,
  abort_on_main_error: true,
  timeout: 10_000,
  guest_user: false,
  state_impact: [],
  policy: { pre: [], rule: '', post: [] },
  params: { input: [], output: [] },
  config: {},
  limit_per_user: 0,
  action_notification: { on: false, msg: '', custom: {} },
}

/** An action with every property, in the order in which it is answered. */
export const completeAction = ({ name, reactor, ...behaviour }: ActionDocument) => ({
  name,
  reactor,
  ...actionDefaults,
  ...completeBehaviour(behaviour),
})

/** The fields that were sent, each of the objects among them with all of its own. */
export const completeBehaviour = (sent: ActionUpdate): ActionUpdate => ({
  ...sent,
  ...(sent.policy && { policy: { ...actionDefaults.policy, ...sent.policy } }),
  ...(sent.params && { params: { ...actionDefaults.params, ...sent.params } }),
  ...(sent.action_notification && {
    action_notification: { ...actionDefaults.action_notification, ...sent.action_notification },
  }),
})

const fields = ['reactor', ...Object.keys(actionDefaults)]

const property = (name: string) => (record: unknown) => String(at(record, 'properties', name) ?? '')
const yesNo = (name: string) => (record: unknown) => (at(record, 'properties', name) === true ? 'yes' : 'no')

/** What can be done with the vAtoms of a template. */
export const action: Kind = {
  name: 'action',
  one: 'an action',
  title: 'Action',
  verb: 'register',
  fileEnding: '.actions',
  nameKey: 'name',
  templateKey: 'name',
  key: 'name',
  parent: 'template',
  hasDrafts: false,
  operations: {
    create: 'registerAction',
    update: 'updateAction',
    remove: 'deleteAction',
    get: 'getAction',
    list: 'listActions',
  },
  defaults: actionDefaults,
  names: [['name'], ['policy', 'pre', '*'], ['policy', 'post', '*']],
  free: [['config'], ['action_notification', 'custom']],
  queries: [],
  bounded: [{ path: [], bytes: limits.section }],
  columns: {
    NAME: ({ name }) => textOf(name),
    REACTOR: property('reactor'),
    WAIT: yesNo('wait'),
    GUESTS: yesNo('guest_user'),
    TIMEOUT: property('timeout'),
  },

  mark: 'reactor',
  showsIn: (document) =>
    Object.hasOwn(document, 'reactor') || textOf(document.name).includes(actionInfix) || namesActionOf(document),
  nameOf: (document) => textOf(at(document, 'name')),
  templateOf: (document) => {
    const [template, name] = textOf(at(document, 'name')).split(actionInfix)
    return name === undefined ? undefined : template
  },
  describes: (document, record) => record.name === document.name,
  specAt: () => '4',

  documentOf: ({ name, properties }) => {
    const known = fields.filter((field) => at(properties, field) !== undefined)
    return { name, ...Object.fromEntries(known.map((field) => [field, at(properties, field)])) }
  },
  changes: async (document, record) => {
    const { ActionDocument } = await import('./action-schemas.ts')
    const { name: _, ...wanted } = completeAction(ActionDocument().parse(document))
    return fieldChanges(wanted, record)
  },
  minimal: (document) => beyond(actionDefaults, document),
}

/** Whether a document with the name of a template has that of one of its actions, in any field. */
const namesActionOf = ({ template, ...fields }: Section): boolean =>
  typeof template === 'string' &&
  Object.values(fields).some((value) => textOf(value).startsWith(`${template}${actionInfix}`))

/** What an action's record lacks of some of its fields. */
export function fieldChanges(fields: Section, record: Section): Changes {
  const stored = sectionOf(record.properties)
  return changesOf(Object.entries(fields).map(([name, value]) => setting(name, value, stored[name])))
}
