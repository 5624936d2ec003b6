import type { Handler } from './handler.ts'

/** Confirms the push settings of a device; this service sends no push notifications. */
export const setPushNotification: Handler<'setPushNotification'> = (_scope, { body: { on = true } }) => ({
  success_message: `Push notifications are ${on ? 'on' : 'off'}; this service sends none.`,
})

/** Every version of an app is supported. */
export const getAppVersion: Handler<'getAppVersion'> = () => ({
  supported_version: '0.0.0',
  update_url: '',
  update_text: '',
})

/** The application that requests to this service are made by. */
export const listApps: Handler<'listApps'> = ({ environment: { appId: id }, publisher }) => [
  { id, name: id, FQDN: publisher, client_secret: '', redirect_uris: [] },
]
