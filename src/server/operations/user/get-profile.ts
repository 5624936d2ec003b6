import { userRecord } from '../../domain/user.ts'
import type { Handler } from '../handlers.ts'

/** The caller as they see themself. Spec 4.1. */
export const getProfile: Handler<'getProfile'> = ({ user, baseUrl }) => userRecord(user, baseUrl)
