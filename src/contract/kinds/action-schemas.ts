import * as z from 'zod/v4'
import { ofTemplate, paging } from '../api/paging.ts'
import { limits } from '../limits.ts'
import { lazy, named, type ValueOf } from '../schema/lazy-schema.ts'
import { parsedUrl } from '../schema/parsed-url.ts'
import { anyObject, controls, flag, isPrintable, list, printable, recordName, text } from '../schema/scalars.ts'
import { knownReactors, platformScheme, reactorMeant } from '../values.ts'
import { ofRecord } from './of-record.ts'
import { RecordMeta } from './template-schemas.ts'

const reactor = lazy(() =>
  text(limits.name)
    .regex(new RegExp(`^[a-z][a-z0-9+.-]*://[^\\s/${controls}][^\\s${controls}]*$`), {
      error: ({ input }) => {
        if (!isPrintable(String(input))) return printable.error
        const known = String(input).includes('://') ? undefined : reactorMeant(String(input))
        if (known !== undefined) return `must be the whole address of the reactor: ${known}`
        return 'must look like blockv://v1/Transfer or, with a scheme of your own in lower case, acme://stamp'
      },
    })
    .meta({
      description: 'The reactor that carries out the action: of the platform, or of your own scheme and handler.',
      examples: [...knownReactors, 'acme://stamp'],
    }),
)
const behaviour = lazy(() => ({
  wait: flag('Whether the caller waits for it to be done. Default false.'),
  rollback: flag('Not implemented by the platform. Default false.'),
  abort_on_pre_error: flag('Stop when a pre-action fails. Default true.'),
  abort_on_main_error: flag('Stop when the action fails. Default true.'),
  abort_on_post_error: flag('Stop when a post-action fails. Default false.'),
  timeout: z
    .int()
    .min(1)
    .max(limits.actionTimeout)
    .optional()
    .describe('Milliseconds for the action and the actions of its policy, such as 5000. Default 10000.'),
  guest_user: flag('Whether guests may run it. Default false.'),
  state_impact: list(text(limits.name)).optional().describe('What it changes, such as this.owner.'),
  policy: z
    .strictObject({
      pre: list(recordName(), limits.policyActions).optional().describe('Actions run before it, in order.'),
      rule: text(limits.section).optional().describe('The condition for running them, in the syntax of the platform.'),
      post: list(recordName(), limits.policyActions).optional().describe('Actions run after it, in order.'),
    })
    .optional()
    .describe(
      'Actions that run before and after it: of each, only the reactor, without its own policy, limit_per_user, guest_user and config.activated_users_only.',
    ),
  params: z
    .strictObject({
      input: list(text(limits.name)).optional().describe('Inputs, such as this.id; join alternatives with |.'),
      output: list(text(limits.name)).optional().describe('Outputs.'),
    })
    .optional()
    .describe('Inputs and outputs.'),
  config: anyObject().optional().describe('Settings of the reactor.'),
  limit_per_user: z.int().min(0).optional().describe('How often a user may run it; 0: any number.'),
  action_notification: z
    .strictObject({
      on: flag('Whether the message is sent. Default false.'),
      msg: z.string().optional().describe('The text of the message.'),
      custom: anyObject().optional().describe('Data that an app receives with the text.'),
    })
    .optional()
    .describe('A message to the user whom the action concerns.'),
}))
const ofActionRecord = ofRecord('vatom action get NAME --yaml')

/** Body of Register Action. */
export const ActionDocument = named(
  'Action',
  () =>
    z.strictObject({
      name: recordName().describe('<template>::Action::<Name>, unique.'),
      reactor: reactor(),
      ...behaviour(),
    }),
  'What can be done with the vAtoms of a template.',
  {
    template: 'leave it out: the name of the action begins with the template, as in <template>::Action::<Name>',
    ...ofActionRecord,
  },
)
export type ActionDocument = ValueOf<typeof ActionDocument>

/** Body of Update Action: the fields to replace, whole. */
export const ActionUpdate = named(
  'ActionUpdate',
  () => z.strictObject({ reactor: reactor().optional(), ...behaviour() }),
  'Fields of an action to replace.',
  { name: 'a name cannot be changed', template: 'an action stays with its template', ...ofActionRecord },
)
export type ActionUpdate = ValueOf<typeof ActionUpdate>

/** A stored action, as publishers and clients receive it. */
export const ActionRecord = named('ActionRecord', () =>
  z.looseObject({ name: z.string(), meta: RecordMeta(), properties: z.looseObject({ reactor: z.string() }) }),
)
export type ActionRecord = ValueOf<typeof ActionRecord>

/** Query of List Actions. */
export const ActionListQuery = lazy(() => z.object(ofTemplate()))
/** An element of the actions a viewer is offered. */
export const ActionName = named('ActionName', () => z.looseObject({ name: z.string() }))

/** Body of Register Action Handler: where requests for a reactor of the publisher's own go. */
export const ActionHandler = named(
  'ActionHandler',
  () =>
    z.strictObject({
      reactor: reactor().refine((name) => !name.startsWith(platformScheme), {
        error: `${platformScheme} is the platform's: choose a scheme of your own, such as your domain name: acme.com://stamp`,
      }),
      // Bounded before it is parsed: that takes time that grows with the square of its host.
      url: text(limits.url)
        .refine(isPrintable, printable)
        .refine((url) => /^https?:$/.test(parsedUrl(url)?.protocol ?? ''), {
          error: 'must be an http:// or https:// address',
        })
        .meta({ format: 'uri', description: 'Where the requests go.' }),
    }),
  "Where the actions of one of the publisher's own reactors are carried out.",
)
/** A stored handler. */
export const ActionHandlerRecord = named('ActionHandlerRecord', () =>
  z.looseObject({ reactor: z.string(), url: z.string(), meta: RecordMeta() }),
)
export type ActionHandlerRecord = ValueOf<typeof ActionHandlerRecord>

/** Query of List Action Handlers. */
export const ActionHandlerListQuery = lazy(() => z.object(paging()))
