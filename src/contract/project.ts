import * as z from 'zod/v4'
import { limits } from './limits.ts'
import { lazy } from './schema/lazy-schema.ts'
import { thousands } from './schema/wording.ts'

/** The name of a catalog. */
export const CatalogName = lazy(() =>
  z
    .string()
    .regex(/^[\w.-]{1,64}$/, { error: 'must have 1 to 64 of the letters A to Z and a to z, digits, _ . and -' }),
)

/** Patterns of paths. */
const patterns = () =>
  z
    .array(z.string().min(1).max(1024))
    .max(limits.ignorePatterns)
    .refine((written) => written.join('').length <= limits.ignoreCharacters, {
      error: `must have at most ${thousands(limits.ignoreCharacters)} characters in all patterns together`,
    })

/** The content of the file that describes the catalog in its folder and below. */
export const ProjectFile = lazy(() =>
  z.strictObject({
    /** The catalog's name: it owns the records that it applies, on whatever machine. */
    catalog: CatalogName().optional(),
    /** Patterns of files that are not its documents, as in a .gitignore file. */
    ignore: patterns().optional(),
  }),
)
export type ProjectFile = z.output<ReturnType<typeof ProjectFile>>
