import { processHost } from './node-host.ts'

/**
 * Runs the process's own command line and leaves its exit code behind. `build` names what it was compiled from,
 * `pages` the folder of what was compiled for browsers.
 */
export async function run(build?: string, pages?: string): Promise<number> {
  const { main } = await import('./main.ts')
  const code = await main(process.argv.slice(2), processHost(build, pages))
  process.exitCode = code
  return code
}
