import type * as z from 'zod/v4'
import type { Session } from '../../../contract/user.ts'
import { limits } from '../../../contract/values.ts'
import type { Started } from '../../auth/sessions.ts'
import type { Scope } from '../../environment.ts'
import type { UserRow } from '../../store/users.ts'
import { userRecord } from '../../user.ts'

const minutes = (seconds: number) => seconds / 60

/** An access token as clients read it; `expires_in` in minutes. */
export const accessToken = (token: string) => ({
  token,
  token_type: 'Bearer',
  expires_in: minutes(limits.accessTokenSeconds),
})

/** Payload of Login and Register New User. */
export const sessionPayload = (scope: Scope, user: UserRow, started: Started): z.output<typeof Session> => ({
  user: userRecord(user),
  asset_provider: [{ name: 'local', type: 'local', uri: scope.baseUrl, descriptor: {} }],
  access_token: accessToken(started.access_token),
  refresh_token: {
    token: started.refresh_token,
    token_type: 'Bearer',
    expires_in: minutes(limits.refreshTokenSeconds),
  },
})
