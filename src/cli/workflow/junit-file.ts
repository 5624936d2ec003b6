import type { Context } from '../context.ts'
import type { Row } from '../documents/results.ts'

export interface JUnitFileOptions {
  /** Where the report goes; none is written without. */
  readonly junit?: string
}

/** Writes what became of documents to the file that --junit names, with the time since now. */
export function junitFile(command: string, { junit }: JUnitFileOptions, { host }: Context) {
  const started = performance.now()
  return async (rows: readonly Row[]): Promise<void> => {
    if (junit === undefined) return
    const [{ junitOf }, { writeText }] = await Promise.all([
      import('../documents/junit.ts'),
      import('../output/files.ts'),
    ])
    const seconds = (performance.now() - started) / 1000
    writeText(host.cwd, junit, junitOf(rows, { name: `vatom ${command}`, seconds }))
  }
}
