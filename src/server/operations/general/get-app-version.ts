import type { Handler } from '../handlers.ts'

/** Every version of an app is supported. */
export const getAppVersion: Handler<'getAppVersion'> = () => ({
  supported_version: '0.0.0',
  update_url: '',
  update_text: '',
})
