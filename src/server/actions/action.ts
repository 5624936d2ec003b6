import * as z from 'zod/v4'
import { ApiError } from '../../contract/api/errors.ts'
import { lazy, type ValueOf } from '../../contract/schema/lazy-schema.ts'
import { actionInfix } from '../../contract/values.ts'
import { type Section, sectionOf } from '../../contract/vatom/complete.ts'
import { propertiesOf } from '../domain/records/meta.ts'
import type { Store } from '../store/store.ts'

/** The settings of an action that its performance depends on; a stored action has every one. */
const Settings = lazy(() =>
  z.looseObject({
    reactor: z.string(),
    wait: z.boolean(),
    abort_on_pre_error: z.boolean(),
    abort_on_main_error: z.boolean(),
    abort_on_post_error: z.boolean(),
    timeout: z.int(),
    guest_user: z.boolean(),
    policy: z.looseObject({ pre: z.array(z.string()), post: z.array(z.string()) }),
    limit_per_user: z.int(),
    action_notification: z.looseObject({ on: z.boolean(), msg: z.string() }),
  }),
)

/** A registered action. */
export interface Action {
  /** Its full name. */
  readonly name: string
  /** Its name without that of its template. */
  readonly short: string
  /** Domain name of its publisher. */
  readonly publisher: string
  readonly settings: ValueOf<typeof Settings>
  /** The settings of its reactor, which may have thousands of values: they are read when this is called first. */
  readonly config: () => Section
}

/** The action of a template by its short name, if there is one. */
export function actionOf(store: Store, template: string, short: string): Action | undefined {
  const row = store.actions.byName(fullName(template, short))
  const settings = row && settingsOf(store, row.name)
  return settings && { name: row.name, short, publisher: row.publisher_fqdn, settings, config: configIn(row.json) }
}

/** What carries out the action of a template by its short name, if there is one. */
export const reactorOf = (store: Store, template: string, short: string): string | undefined =>
  settingsOf(store, fullName(template, short))?.reactor

const fullName = (template: string, short: string) => `${template}${actionInfix}${short}`

function settingsOf(store: Store, name: string): Action['settings'] | undefined {
  const text = store.actions.settings(name)
  return text === undefined ? undefined : Settings().parse(JSON.parse(text))
}

function configIn(json: string): Action['config'] {
  let config: Section | undefined
  return () => {
    config ??= sectionOf(propertiesOf(json).config)
    return config
  }
}

/** The refusal of an action that a template does not have. */
export const noAction = (template: string, short: string): ApiError =>
  new ApiError('unhandledAction', `no action is named ${fullName(template, short)}`)
