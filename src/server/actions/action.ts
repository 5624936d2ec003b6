import * as z from 'zod/v4'
import { ApiError } from '../../contract/api/errors.ts'
import { lazy, type ValueOf } from '../../contract/schema/lazy-schema.ts'
import { anyObject } from '../../contract/schema/scalars.ts'
import { actionInfix } from '../../contract/values.ts'
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
    config: anyObject(),
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
}

/** The action of a template by its short name, if there is one. */
export function actionOf(store: Store, template: string, short: string): Action | undefined {
  const row = store.actions.byName(`${template}${actionInfix}${short}`)
  return (
    row && { name: row.name, short, publisher: row.publisher_fqdn, settings: Settings().parse(propertiesOf(row.json)) }
  )
}

/** The refusal of an action that a template does not have. */
export const noAction = (template: string, short: string): ApiError =>
  new ApiError('unhandledAction', `no action is named ${template}${actionInfix}${short}`)
