import * as z from 'zod/v4'
import { parseJson } from '../../contract/unknown-values.ts'
import type { ProcessMark } from '../../processes.ts'

const Mark = z.object({
  pid: z.int().positive(),
  host: z.string(),
  started: z.string().optional(),
  ids: z.string().optional(),
  boot: z.string().optional(),
})

/** The process that the text of a file names; undefined where it names none. */
export const markIn = (text: string): ProcessMark | undefined => Mark.safeParse(parseJson(text)).data
