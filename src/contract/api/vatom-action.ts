import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import type { ValueOf } from '../schema/lazy.ts'
import { named } from '../schema/registry.ts'
import { type Rows, signedIn } from './endpoint.ts'
import { Confirmation } from './envelope.ts'
import { vatomId } from './vatom.ts'

/** Body of Request Redemption; unknown keys are ignored. */
export const RedemptionRequest = named('RedemptionRequest', () => z.object({ object_id: vatomId() }))

/** Body of Perform Action: the vAtom, and what the action takes. */
export const ActionInput = named('ActionInput', () => z.looseObject({ 'this.id': vatomId() }))

/** Payload of Perform Action; `output` is JSON text. */
export const ActionResult = named('ActionResult', () =>
  z.looseObject({
    main: z.looseObject({
      output: z.string(),
      error: z
        .looseObject({ Code: z.int(), Msg: z.string() })
        .optional()
        .describe('Why it failed, where that does not abort it.'),
    }),
  }),
)
export type ActionResult = ValueOf<typeof ActionResult>

/** What nothing settles of actions. */
const actionDetails = [
  'the caller must be allowed to see the vAtom; the reactor decides who may act on it: a merchant redeems any, and an administrator of its publisher changes its custom properties',
  'an action is unhandled if the template has none of that name, or if nothing carries out its reactor',
  `an action that is not waited for is checked, answered with an empty output, and then run; its result is not reported; ${limits.laterAtOnce} run at once, ${limits.laterWaiting} wait for that, and more are refused with 503`,
  `at most ${limits.handledAtOnce} actions that call handlers are waited for at once: 503 refuses more before anything is done`,
  'the actions that a policy names are those of the template, by full or short name; each is a write of its own, and what was done before one that fails stays done; an action that fails and does not abort is reported as error of main',
  'guests are refused unless guest_user is true, users without a verified token where config has activated_users_only; runs are counted from when an action is limited, and those that fail are not; a handler at work has its run reserved',
  'a disabled vAtom, and one in a contract, is not acted on; what changes hands leaves its folder and the map, with what is in it, none of which may be disabled or in a contract; and only a folder of transferable vAtoms is transferred',
  'a vAtom of a draft can be given away and dropped; others do not pick it up or acquire it, and clones count against the limit of the draft',
  'Acquire and AcquirePubVariation cost nothing; the latter needs a variation that is public, published and auto_create_on_acquire, and the caller is owner and author of what it makes',
  'Redeem without a recipient sends the vAtom to the trash user, as whom nobody can sign in; it must be within the dates of its price',
  'Clone copies the vAtom as it is, without what is in it, for its owner; max_clones of the variation counts all clones',
  'Open takes a package of the caller’s: its contents take its place, and the package goes to the trash user',
  'Combine puts child.id or vatom.ids into the folder; Split takes those, or all, one level up, and Uncombine all',
  'Activate sets the state Activated; Dispense gives the caller what was made first of what they see in a folder, to others than its owner only what is acquirable; Discover answers what a discover container finds',
  'nothing is tradeable: Trade is always refused',
  'blockv://custom/privateproperties takes private, or private.NAME, and changes what is there',
  'rollback, policy.rule, action_notification.custom, and auto_create_landing_page and auto_create_mode of a config are stored and have no effect here; a handler is sent the whole config',
  'output is {"ids":[…]} of what was made, moved or found, else {}',
  'messages go to recipients and former owners; msg of an action_notification that is on replaces their text, and goes to the owner if there are no others',
  'a handler is sent action, reactor, stage, user, vatom, input and config as JSON, and answers output, private or error; a vAtom that was changed meanwhile is not changed; after an action its handler receives the vAtom, whoever owns it',
] as const

/** Operations that have an action carried out. */
export const vatomActionRows = {
  performAction: {
    method: 'POST',
    path: '/v1/user/vatom/action/:action',
    auth: 'user',
    spec: '4',
    summary: 'Perform an action on a vAtom',
    body: ActionInput,
    unknownKeys: 'taken',
    payload: ActionResult,
    errors: [
      ...signedIn,
      'invalid',
      'unhandledAction',
      'foreignVatom',
      'unknownVatom',
      'guestRefused',
      'notActivated',
      'actionLimit',
      'vatomUnavailable',
      'alreadyOwned',
      'unknownRecipient',
      'invalidEmail',
      'invalidPhone',
      'draftLimit',
      'cloneLimit',
      'cloneToOneself',
      'notRedeemable',
      'notMerchant',
      'redeemPeriod',
      'alreadyDropped',
      'notDropped',
      'folderEmpty',
      'handlerRefused',
      'handlerFailed',
      'vatomChanged',
      'reactorTimeout',
    ],
    details: actionDetails,
  },
  requestRedemption: {
    method: 'POST',
    path: '/v1/user/vatom/request/redemption',
    auth: 'user',
    spec: '2.1',
    summary: 'Ask the owner of a vAtom to redeem it, as a merchant',
    body: RedemptionRequest,
    unknownKeys: 'ignored',
    payload: Confirmation,
    errors: [...signedIn, 'invalid', 'notMerchant', 'notRedeemable', 'alreadyOwned', 'unknownVatom'],
    assumed:
      'object_id is the id of a redeemable vAtom, which the merchant need not see; its owner receives a message of the action Request Redemption, and redeems it or does not',
  },
} as const satisfies Rows
