import type { Handler } from './handler.ts'

/** Confirms what a client says of its device, to which nothing is sent. */
export const setPushNotification: Handler<'setPushNotification'> = (_scope, { body: { on = true } }) => ({
  success_message: `Push notifications are ${on ? 'on' : 'off'}; this service sends none.`,
})

/** Every version of an app is supported. */
export const getAppVersion: Handler<'getAppVersion'> = () => ({
  supported_version: '0.0.0',
  update_url: '',
  update_text: '',
})
