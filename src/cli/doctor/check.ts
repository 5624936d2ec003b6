import type { User } from '../../contract/api/user.ts'
import { withoutTokens } from '../../contract/tokens.ts'
import type { Context } from '../context.ts'
import { toFailure } from '../failure/translate.ts'
import type { Host } from '../host.ts'

/** The result of a check, and how to correct it. */
export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  readonly hint?: string | undefined
}
export interface Checked extends Finding {
  readonly name: string
}

export const ok = (message: string): Finding => ({ status: 'ok', message })
export const warn = (message: string, hint?: string): Finding => ({ status: 'warn', message, hint })
export const fail = (message: string, hint?: string): Finding => ({ status: 'fail', message, hint })

/** `profile` asks for the profile of the signed-in user, once for all checks. */
export type Check = (context: Context, profile: () => Promise<User>) => Promise<Finding>

/** The result of a check; one that throws has failed. */
export async function checked(name: string, check: () => Promise<Finding>, host: Host): Promise<Checked> {
  try {
    const { status, message, hint } = await check()
    return { name, status, message: withoutTokens(message), hint: hint && withoutTokens(hint) }
  } catch (error) {
    const { code, message, hint } = await toFailure(error, host)
    if (code === 'interrupted') throw error
    return { name, ...fail(message, hint) }
  }
}
