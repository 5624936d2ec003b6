import { lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod/v4'
import { kinds } from '../../../contract/values.ts'
import { documentIssues } from '../../../documents/load/document-issues.ts'
import type { LoadedDocument } from '../../../documents/load/loaded.ts'
import { exit, Failure, usage } from '../../failure/failure.ts'
import { writesOf } from './chain-charges.ts'
import type { Plan } from './compare.ts'
import { markOf } from './compare-record.ts'

const SavedPlan = z.strictObject({
  vatom_plan: z.literal(1),
  /** Tells it from every other plan, and a file that was changed by hand from one that was not. */
  digest: z.string(),
  content: z.strictObject({
    when_planned: z.string(),
    target: z.string(),
    publisher: z.string(),
    prune: z.boolean(),
    /** In order; `mark` is the record's when it was planned, null where there was none. */
    documents: z.array(
      z.strictObject({
        file: z.string(),
        kind: z.enum(kinds),
        name: z.string(),
        value: z.record(z.string(), z.unknown()),
        mark: z.string().nullable(),
      }),
    ),
    deletions: z.array(z.strictObject({ kind: z.enum(kinds), key: z.string(), name: z.string(), mark: z.string() })),
    charged_writes: z.int(),
  }),
})
type SavedPlan = z.output<typeof SavedPlan>
export type PlanContent = SavedPlan['content']

/** A plan that was read: `digest` tells it from every other. */
export interface ReadPlan {
  readonly digest: string
  readonly content: PlanContent
}

/** What a plan was made for. */
export type PlanHead = Pick<PlanContent, 'when_planned' | 'target' | 'publisher' | 'prune'>

/** What is kept of a plan: what was reviewed, and how the service was. */
export const contentOf = (plan: Plan, head: PlanHead): PlanContent => ({
  ...head,
  documents: plan.steps.map(({ document: { file, kind, name, value }, standing }) => ({
    file,
    kind,
    name,
    value,
    mark: standing?.mark ?? null,
  })),
  deletions: plan.deletions.map(({ kind, key, name, mark }) => ({ kind, key, name, mark })),
  charged_writes: writesOf(plan).charged.length,
})

/** Writes a plan at once; in the place of an older one, and of nothing else. Throws `file_unwritable` or `file_exists`. */
export function savePlan(content: PlanContent, file: string, cwd: string): void {
  const path = resolve(cwd, file)
  const saved: SavedPlan = { vatom_plan: 1, digest: markOf(content), content }
  const fresh = `${path}.${process.pid}`
  try {
    refuseOther(path, file)
    writeFileSync(fresh, `${JSON.stringify(saved, null, 2)}\n`, { mode: 0o600 })
    renameSync(fresh, path)
  } catch (cause) {
    rmSync(fresh, { force: true })
    if (cause instanceof Failure) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Failure('file_unwritable', exit.refused, `${file} cannot be written: ${why}`, { cause })
  }
}

function refuseOther(path: string, file: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there || (there.isFile() && beginning.test(readFileSync(path, 'utf8')))) return
  throw new Failure('file_exists', exit.refused, `${file} is there, and no plan; it was not replaced`, {
    hint: 'choose another file: --out review.plan',
  })
}

const beginning = /^\s*\{\s*"vatom_plan"/

/** Reads a file that is a plan; undefined for any other. Throws a usage error for a plan that is damaged. */
export function readPlan(file: string, cwd: string): ReadPlan | undefined {
  const text = textOf(resolve(cwd, file))
  if (text === undefined || !beginning.test(text)) return undefined
  const saved = SavedPlan.safeParse(parsed(text))
  if (saved.success && saved.data.digest === markOf(saved.data.content)) return saved.data
  throw usage(`${file} is a plan that was cut off or changed by hand, or one of another version`, again)
}

const again = 'plan again: vatom plan PATH --out FILE'

function textOf(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The documents of a plan. Throws a usage error for one that no plan can have been made of. */
export const documentsOf = ({ documents, publisher }: PlanContent): LoadedDocument[] =>
  documents.map(({ file, kind, name, value }) => {
    if (documentIssues(kind, value, { publisher }).some(({ severity }) => severity === 'error'))
      throw usage(`The plan holds a ${kind} that is not valid: ${name}`, again)
    return { file, kind, name, value, text: '', locate: () => undefined, valid: true, problems: [] }
  })
