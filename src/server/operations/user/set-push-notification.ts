import type { Handler } from '../handlers.ts'

/** Confirms what a client says of its device, to which nothing is sent. */
export const setPushNotification: Handler<'setPushNotification'> = (_scope, { body: { on = true } }) => ({
  success_message: `Push notifications are ${on ? 'on' : 'off'}; this service sends none.`,
})
