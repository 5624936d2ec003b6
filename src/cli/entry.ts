import type { ExitCode } from './failure/failure.ts'
import { families } from './families.ts'
import { processHost } from './process.ts'

/** Runs the process's own command line and leaves its exit code behind. `build` names the bundle this is. */
export async function run(build?: string): Promise<ExitCode> {
  const { main } = await import('./main.ts')
  const host = processHost(build)
  process.exitCode = await main(process.argv.slice(2), host, families)
  return process.exitCode as ExitCode
}
