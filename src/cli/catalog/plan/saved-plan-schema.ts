import * as z from 'zod/v4'
import { ruleName } from '../../../contract/rules/rule.ts'
import { isObject } from '../../../contract/schema/path.ts'
import { kinds } from '../../../contract/values.ts'
import { cautionCodes } from '../../kinds/cautions.ts'
import type { Catalogs } from '../catalog-names.ts'
import { SavedUnlisted, saidOfRecord } from './saved-unlisted.ts'

/** Values before and after a change; one that is left out is undefined. */
const beforeAndAfter = { before: z.unknown().optional(), after: z.unknown().optional() }

/** When a record was changed last, as far as the service says it: another time shows that it was changed, and back again. */
const modified = z.string().optional()

/** The revision of the label of a record, as far as the service has it: another one shows that others owned it in between. */
const label_revision = z.string().optional()

/** What is saved of a warning that was reviewed: what applies the plan shows and counts it, too. */
const warning = {
  file: z.string(),
  rule: z.string().regex(ruleName),
  severity: z.literal('warning'),
  path: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  spec: z.string().optional(),
  line: z.int().nonnegative().optional(),
  column: z.int().nonnegative().optional(),
  endLine: z.int().nonnegative().optional(),
  endColumn: z.int().nonnegative().optional(),
}
const warnings = z.array(z.strictObject(warning))
/** A warning as it was found, without what is not saved of it. */
export const FoundWarning = z.object(warning)

/** Whether a value has texts by any names: those of `z.record` are without the name `__proto__`, which a folder can have. */
const areTexts = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string')

/** What the file of a saved plan holds. */
export const SavedPlan = z.strictObject({
  vatom_plan: z.literal(4),
  /** Of the content: identifies the plan, and shows whether the file was edited. */
  digest: z.string(),
  content: z.strictObject({
    when_planned: z.string(),
    target: z.string(),
    publisher: z.string(),
    /** The command that made it, with the flags that matter for what it does. */
    command: z.string().optional(),
    /** The folder in which it was made, from that of its file. */
    folder: z.string().optional(),
    /** Whether it agrees to take over the records that other catalogs own. */
    take_over: z.boolean().optional(),
    /** The catalogs of the files. */
    catalogs: z.custom<Catalogs>(areTexts),
    /** In order; `mark` is the digest of the record when it was planned, null where there was none. */
    documents: z.array(
      z.strictObject({
        file: z.string(),
        kind: z.enum(kinds),
        name: z.string(),
        value: z.record(z.string(), z.unknown()),
        mark: z.string().nullable(),
        modified,
        /** What the operations call its record by, if not by its name. */
        key: z.string().optional(),
        /** What was reviewed, so that it can be shown again. */
        action: z.enum(['create', 'update', 'unchanged']),
        publishes: z.boolean(),
        private_addresses: z.int().nonnegative(),
        cautions: z.array(z.strictObject({ code: z.enum(cautionCodes), names: z.array(z.string()) })).optional(),
        changes: z.array(z.strictObject({ path: z.string(), ...beforeAndAfter })),
        chain: z.array(z.strictObject(beforeAndAfter)),
        taken_from: z.string().optional(),
        never_pruned: z.literal(true).optional(),
        unlabelled: z.literal(true).optional(),
        label_revision,
        following_vatoms: z.int().nonnegative().optional(),
        /** Other faces on the service for the same viewers. */
        alike: z.array(z.strictObject({ id: z.string(), display_url: z.unknown() })).optional(),
        warnings: warnings.optional(),
      }),
    ),
    deletions: z.array(
      z.strictObject({
        ...saidOfRecord,
        template: z.string(),
        /** What identifies what is made anew in its place. */
        own_key: z.string(),
        mark: z.string(),
        modified,
        /** The catalog that its label named. */
        label: z.string().optional(),
        label_revision,
        warnings: warnings.optional(),
      }),
    ),
    /** What was on the service and in no file, and stays. */
    unlisted: z.array(SavedUnlisted).optional(),
    /** Whether a part of a catalog was compared. */
    partial: z.literal(true).optional(),
    /** Those of no document that `--max-warnings` counts, and others. */
    warnings,
    uncounted_warnings: warnings.optional(),
    charged_writes: z.int().nonnegative(),
    /** Why the service did not check it, if it did not. */
    unchecked: z.string().optional(),
    /** How many changes it checked, if it did not check the others. */
    checked: z.int().nonnegative().optional(),
    /** Whether only the machine that made it records which catalog owns what. */
    owned_here: z.literal(true).optional(),
  }),
})
export type SavedPlan = z.output<typeof SavedPlan>
export type PlanContent = SavedPlan['content']
