import type { Endpoint } from './endpoint.ts'

/** An operation that clients of the platform are known to call, and that this service does not offer. */
interface NotOffered extends Pick<Endpoint, 'method' | 'path'> {
  /** What it is for. */
  readonly subject: string
}

const rows = (subject: string, ...requests: readonly `${Endpoint['method']} ${string}`[]): NotOffered[] =>
  requests.map((request) => {
    const [method, path = ''] = request.split(' ') as [Endpoint['method'], string]
    return { method, path, subject }
  })

/** Operations that are known and not offered. */
export const notOffered: readonly NotOffered[] = [
  ...rows('OAuth logins', 'POST /v1/oauth/token'),
  ...rows('merging accounts', 'POST /v1/user/merge_accounts'),
  ...rows('redeemables', 'POST /v1/users/:id/redeemables'),
  ...rows(
    'creating and changing applications',
    'POST /v1/publisher/apps',
    'PATCH /v1/publisher/apps/:id',
    'PUT /v1/publisher/apps/:id/client_secret/clear',
  ),
  ...rows('captchas', 'GET /v1/captcha'),
  ...rows('credentials for push notifications', 'POST /v1/user/pushnotification/credentials'),
  ...rows(
    'brains',
    'POST /v1/brains',
    'GET /v1/brains/:variation',
    'POST /v1/brains/:variation',
    'DELETE /v1/brains/:variation',
    'GET /v1/brain/shutdown/:variation',
  ),
]
