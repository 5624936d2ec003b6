import type { ActionDocument, ActionUpdate } from './action-schemas.ts'

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
