// Runs the named scripts beside each other: `node src/build/side-by-side.mjs lint unused`. The output of each is written
// whole, in the order in which they are named. Ends with 1 if one failed, when all have ended.
import { spawn } from 'node:child_process'

/** Runs a script of package.json; resolves with all that it wrote, and whether it failed. */
function run(script) {
  const child = spawn('npm', ['run', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ script, hasFailed: code !== 0, output: Buffer.concat(chunks) }))
  })
}

const failed = []
for (const ending of process.argv.slice(2).map(run)) {
  const { script, hasFailed, output } = await ending
  process.stdout.write(output)
  if (hasFailed) failed.push(script)
}
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
