import type { Payload } from '../../../contract/api/api.ts'
import { limits } from '../../../contract/limits.ts'
import type { Started } from '../../auth/sessions.ts'
import { userRecord } from '../../domain/user.ts'
import type { Scope } from '../../environment.ts'
import type { UserRow } from '../../store/users.ts'

const minutes = (seconds: number) => seconds / 60

/** An access token as clients read it; `expires_in` in minutes. */
export const accessToken = (token: string) => ({
  token,
  token_type: 'Bearer',
  expires_in: minutes(limits.accessTokenSeconds),
})

/** Where assets are: with the service, at addresses that need nothing more. */
export const assetProviders = ({ baseUrl }: Scope): Payload<'getAssetProviders'> => ({
  asset_provider: [{ name: 'local', type: 'local', uri: baseUrl, descriptor: {} }],
})

/** Payload of Login and Register New User. */
export const sessionPayload = (scope: Scope, user: UserRow, started: Started): Payload<'login'> => ({
  user: userRecord(user, scope.baseUrl),
  ...assetProviders(scope),
  access_token: accessToken(started.access_token),
  refresh_token: {
    token: started.refresh_token,
    token_type: 'Bearer',
    expires_in: minutes(limits.refreshTokenSeconds),
  },
})
