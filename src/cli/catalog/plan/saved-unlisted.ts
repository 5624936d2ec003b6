import * as z from 'zod/v4'
import { kinds } from '../../../contract/values.ts'
import { isFailureCode } from '../../failure/codes.ts'
import { exit, Failure } from '../../failure/failure.ts'
import type { Unlisted } from './plan.ts'

/** What a saved plan says of any record that is in no file. */
export const saidOfRecord = { kind: z.enum(kinds), key: z.string(), name: z.string(), contents: z.array(z.string()) }

/** A record that a plan leaves as it is, in the file of the plan. */
export const SavedUnlisted = z.strictObject({
  ...saidOfRecord,
  template: z.string(),
  catalog: z.string().optional(),
  pruned_by: z.enum(['--prune', '--prune-unowned']).optional(),
  final: z.boolean(),
  published: z.boolean(),
  stays_with_template: z.literal(true).optional(),
  also_in: z.string().optional(),
  same_name: z.literal(true).optional(),
  ignored_in: z.string().optional(),
  submodule: z.string().optional(),
  others: z.string().optional(),
  /** Why it cannot be deleted. */
  refusal: z.strictObject({ code: z.string(), message: z.string() }).optional(),
})

/** A record as it is saved. */
export const savedUnlisted = (one: Unlisted) => ({
  kind: one.kind,
  key: one.key,
  name: one.name,
  contents: [...one.contents],
  template: one.template,
  ...(one.catalog !== undefined && { catalog: one.catalog }),
  ...(one.prunedBy && { pruned_by: one.prunedBy }),
  final: one.isFinal,
  published: one.isPublished,
  ...(one.staysWithTemplate && { stays_with_template: true as const }),
  ...(one.alsoIn !== undefined && { also_in: one.alsoIn }),
  ...(one.isSameName && { same_name: true as const }),
  ...(one.ignoredIn !== undefined && { ignored_in: one.ignoredIn }),
  ...(one.submodule !== undefined && { submodule: one.submodule }),
  ...(one.others !== undefined && { others: one.others }),
  ...(one.refusal && { refusal: { code: one.refusal.code, message: one.refusal.message } }),
})

/** A record as it was saved, to be shown again. */
export const readUnlisted = ({
  pruned_by: prunedBy,
  final: isFinal,
  published: isPublished,
  stays_with_template: staysWithTemplate,
  also_in: alsoIn,
  same_name: isSameName,
  ignored_in: ignoredIn,
  refusal,
  catalog,
  ...one
}: z.output<typeof SavedUnlisted>): Unlisted => ({
  ...one,
  catalog,
  prunedBy,
  isFinal,
  isPublished,
  staysWithTemplate,
  alsoIn,
  isSameName,
  ignoredIn,
  ownKey: '',
  mark: '',
  ...(refusal && {
    refusal: new Failure(isFailureCode(refusal.code) ? refusal.code : 'refused', exit.refused, refusal.message),
  }),
})
