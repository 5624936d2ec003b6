import { processHost } from './node-host.ts'

/**
 * Runs the process's own command line and leaves its exit code behind. `build` names what it was compiled from,
 * `pages` the folder of what was compiled for browsers; `hold` is that of `ServiceOptions`.
 */
export async function run(build?: string, pages?: string, hold?: () => Promise<void>): Promise<number> {
  const { main } = await import('./main.ts')
  const code = await main(process.argv.slice(2), processHost(build, pages, hold))
  process.exitCode = code
  return code
}
