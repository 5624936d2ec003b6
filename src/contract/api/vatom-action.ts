import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import type { ValueOf } from '../schema/lazy-schema.ts'
import { named } from '../schema/lazy-schema.ts'
import type { Rows } from './endpoint.ts'
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
        .describe('Why the action failed, if the failure did not abort it.'),
    }),
  }),
)
export type ActionResult = ValueOf<typeof ActionResult>

const mayNotAct = ['foreignVatom', 'unknownVatom', 'guestRefused', 'notActivated', 'actionLimit'] as const
const recipientRefused = ['alreadyOwned', 'unknownRecipient', 'invalidEmail', 'invalidPhone'] as const
const cloneRefused = ['cloneLimit', 'cloneToOneself'] as const
const redeemRefused = ['notRedeemable', 'notMerchant', 'redeemPeriod'] as const
const mapRefused = ['alreadyDropped', 'notDropped'] as const
const handlerErrors = ['handlerRefused', 'handlerFailed', 'vatomChanged', 'reactorTimeout'] as const

/** Assumptions about actions. */
const actionDetails = [
  'the caller must be allowed to see the vAtom; the reactor decides who may act on it: a merchant may redeem any, and an administrator of its publisher may change its custom properties',
  'an action is unhandled if the template has no action of that name, or if no reactor or handler carries it out',
  `an action with wait: false is checked, answered with an empty output, and then run; its result is not reported; ${limits.laterAtOnce} such actions run at once, ${limits.laterWaiting} wait for their turn, of one user ${limits.laterAtOnceOfUser} and ${limits.laterWaitingOfUser}, and more are refused with 503; users of one address run no more than they leave to others; those that wait end with a session that a new password or a recovery takes away`,
  `at most ${limits.handledAtOnce} actions with wait: true call handlers at once, ${limits.handledOfUser} of one user, and of one address no more than it leaves to others; ${limits.handledWaiting} wait for their turn, ${limits.handledWaitingOfUser} of one user, and more are refused with 503 before anything is done`,
  'a policy names actions of the template, by full or short name, of which only the reactors run: who may perform them by themselves, how often, and their own policies do not matter; each action is a separate write, and what was done before a failure is not undone; a failure of the action that does not abort is reported as error of main',
  'guests are refused unless guest_user is true; users without a verified token are refused if config has activated_users_only; runs are counted from the time an action gets a limit, and failed runs are not counted; while a handler works, its run is reserved',
  'an action on a vAtom that is disabled or in a contract is refused; a vAtom that changes owner leaves its folder and the map together with its contents, none of which may be disabled or in a contract; a folder can be transferred only if all its contents are transferable',
  'a vAtom that is sent to an e-mail address or phone number which its user has not verified is theirs to see; they can act on it and trash it, with what is in it, only once that address is verified; whoever verifies it by a pin first gets the vAtom',
  'a vAtom of a draft can be given away and dropped; others cannot pick it up or acquire it, and clones count against the limit of the draft',
  'Acquire and AcquirePubVariation cost nothing; AcquirePubVariation needs a variation that is public, published and auto_create_on_acquire, on a vAtom that the caller need not see; the caller becomes owner and author of the new vAtom',
  'Redeem without a recipient sends the vAtom to the trash user, an account that nobody can sign in to; a vAtom can be redeemed once, within the dates of its price, and is not redeemable then',
  'Clone copies the vAtom as it is, without its contents, and redeemable as it was before it was redeemed; only its owner can clone it; max_clones of the variation limits all clones together',
  'Open opens a package that the caller owns: the contents take the place of the package, and the package goes to the trash user',
  'Combine puts the vAtoms of child.id or vatom.ids into the folder; Split moves those vAtoms, or all if none are given, one level up; Uncombine moves all',
  `Combine, Split, Uncombine and Open are refused where more than ${limits.contents} vAtoms, at any depth, are in what they move or empty: take some out first`,
  'Drop makes a vAtom public, and Pickup has only its new owner see it, whatever its visibility was before',
  'Activate sets the state Activated; Dispense gives the caller the oldest vAtom that they can see in a folder, and only an acquirable one if they do not own it; Discover answers what a discover container finds',
  'Trade is always refused: no vAtom is tradeable',
  'blockv://custom/privateproperties takes private, or private.NAME, and changes existing custom properties',
  'rollback, policy.rule, action_notification.custom, and auto_create_landing_page and auto_create_mode of a config are stored and have no effect here; a handler receives the whole config',
  'output is {"ids":[…]} with the vAtoms that were made, moved or found, otherwise {}',
  'messages go to recipients and former owners; if action_notification.on is true, its msg replaces their text, and goes to the owner if there are no other recipients',
  'a handler receives action, reactor, stage, user, vatom, input and config as JSON, and answers nothing, or output, private and error alone; an error, a text or an object with Msg, refuses, also with a status 4xx, which alone is a failure; its changes are refused if the vAtom was changed meanwhile; a handler that runs after the action receives the vAtom even if the caller no longer owns it',
] as const

/** Operations that have an action carried out. */
export const vatomActionRows = {
  performAction: {
    method: 'POST',
    path: '/v1/user/vatom/action/:action',
    auth: 'user',
    summary: 'Perform an action on a vAtom',
    body: ActionInput,
    unknownKeys: 'taken',
    payload: ActionResult,
    errors: [
      'invalid',
      'unhandledAction',
      ...mayNotAct,
      'vatomUnavailable',
      ...recipientRefused,
      'draftLimit',
      ...cloneRefused,
      ...redeemRefused,
      ...mapRefused,
      'folderEmpty',
      ...handlerErrors,
    ],
    details: actionDetails,
  },
  requestRedemption: {
    method: 'POST',
    path: '/v1/user/vatom/request/redemption',
    auth: 'user',
    spec: null,
    summary: 'Ask the owner of a vAtom to redeem it, as a merchant',
    body: RedemptionRequest,
    unknownKeys: 'ignored',
    errors: ['invalid', 'notMerchant', 'notRedeemable', 'alreadyOwned', 'unknownVatom'],
    assumed:
      'object_id is the id of a redeemable vAtom that was not redeemed, even one that the merchant cannot see; its owner receives a message of the action Request Redemption, and decides whether to redeem it; a merchant can also perform Redeem without asking',
  },
} as const satisfies Rows
