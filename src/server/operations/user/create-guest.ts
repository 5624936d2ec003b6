import { randomUUID } from 'node:crypto'
import { addGuest } from '../../domain/guests.ts'
import { userRecord } from '../../domain/user.ts'
import type { Handler } from '../handlers.ts'

/** Makes a guest: `properties.guest_id` is what they sign in with. */
export const createGuest: Handler<'createGuest'> = async (scope) =>
  userRecord(await scope.store.write(() => addGuest(scope, randomUUID())), scope.baseUrl)
