import type { Context } from '../context.ts'
import type { Row } from '../kinds/results.ts'
import type { JUnitFileOptions } from './options.ts'

/** Writes the rows of documents. */
export type Report = (rows: readonly Row[]) => Promise<void>

/**
 * The report of a command in the file that --junit names. At first the report of a run that did not finish is written:
 * so an older report is gone, and a file that cannot be written fails early. Throws `file_unwritable`.
 */
export async function junitFile(command: string, { junit }: JUnitFileOptions, { host }: Context): Promise<Report> {
  if (junit === undefined) return async () => {}
  const started = performance.now()
  const [{ junitOf }, { writeText }] = await Promise.all([
    import('../../documents/report/junit.ts'),
    import('../io/text-files.ts'),
  ])
  const report = (rows: readonly Row[]) => {
    const seconds = (performance.now() - started) / 1000
    writeText(host.cwd, junit, junitOf(rows, { name: `vatom ${command}`, seconds }))
  }
  report([{ ...nothing, name: `vatom ${command}` }])
  return async (rows) => report(rows)
}

const nothing: Omit<Row, 'name'> = {
  file: null,
  kind: 'template',
  status: 'failed',
  message: 'the command did not finish',
  problems: [],
}
