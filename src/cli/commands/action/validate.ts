import type { Context } from '../../context.ts'
import { validateCommandFor } from '../../documents/validate.ts'

export const validateCommand = (context: Context) => validateCommandFor('action', context)
