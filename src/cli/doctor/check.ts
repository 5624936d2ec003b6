import type { Context } from '../context.ts'
import { toFailure } from '../failure/translate.ts'

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

export type Check = (context: Context) => Promise<Finding>

/** The result of a check; one that throws has failed. */
export async function checked(name: string, check: Check, context: Context): Promise<Checked> {
  try {
    return { name, ...(await check(context)) }
  } catch (error) {
    const { code, message, hint } = await toFailure(error, context.host)
    if (code === 'interrupted') throw error
    return { name, ...fail(message, hint) }
  }
}
