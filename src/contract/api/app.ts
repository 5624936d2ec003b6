import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { named } from '../schema/lazy-schema.ts'
import { flag, text } from '../schema/scalars.ts'
import type { Rows } from './endpoint.ts'

/** Body of Set Push Notification; unknown keys are ignored. */
export const PushNotification = named('PushNotification', () =>
  z.object({
    fcm_token: text(1024).describe('The token of the device at Firebase Cloud Messaging.'),
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

/** Operations on the apps of a user. */
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
    details: [
      'these paths, which clients are known to call, are not served: /v1/publisher/apps, /v1/captcha, /v1/user/pushnotification/credentials, /v1/users/:id/redeemables, /v1/user/vatom/inventorystats, /v1/brains and /v1/brain',
    ],
  },
} as const satisfies Rows
