import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { secret } from '../schema/fields.ts'
import { listOf, named } from '../schema/lazy-schema.ts'
import { flag, text } from '../schema/scalars.ts'
import type { Rows } from './endpoint.ts'

/** Body of Set Push Notification; unknown keys are ignored. */
export const PushNotification = named('PushNotification', () =>
  z.object({
    fcm_token: secret(text(1024).describe('The token of the device at Firebase Cloud Messaging.')),
    platform_id: text(limits.name).describe('What kind of device it is.'),
    on: flag('Whether the device wants notifications.'),
  }),
)

/** Payload of Get App Version. */
export const AppVersion = named('AppVersion', () =>
  z.looseObject({
    supported_version: z.string().describe('The oldest version of the app that is supported.'),
    update_url: z.string(),
    update_text: z.string(),
  }),
)

/** An application of a publisher. */
export const App = named('App', () =>
  z.looseObject({
    id: z.string(),
    name: z.string(),
    FQDN: z.string(),
    client_secret: secret(z.string()),
    redirect_uris: z.array(z.string()),
  }),
)

/** Operations on the apps of users and publishers. */
export const appRows = {
  setPushNotification: {
    method: 'POST',
    path: '/v1/user/pushnotification',
    auth: 'user',
    spec: null,
    summary: 'Register a device for push notifications',
    body: PushNotification,
    unknownKeys: 'ignored',
    errors: ['invalid'],
    assumed: 'it is confirmed and not stored: nothing is sent to devices; clients receive events over the WebSocket',
  },
  getAppVersion: {
    method: 'GET',
    path: '/v1/general/app/version',
    auth: 'none',
    spec: null,
    summary: 'Get which versions of an app are supported',
    payload: AppVersion,
    assumed: 'every version is supported: supported_version is 0.0.0, and update_url and update_text are empty',
  },
  listApps: {
    method: 'GET',
    path: '/v1/publisher/apps',
    auth: 'publisher',
    spec: null,
    summary: 'List the applications of the publisher',
    payload: listOf(App),
    assumed:
      'there is one, whose id requests carry in the App-Id header; it has no secret and no addresses to return to',
  },
} as const satisfies Rows
