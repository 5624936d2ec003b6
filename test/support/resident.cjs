// Runs command lines of the built binary one after another: what costs most of each, to start, it does once. A command line
// comes through the pipe `request` of a folder, as the words between zero bytes of the current folder, of how many arguments
// there are, of these, and of the environment. Its output is then in the files `out` and `err`, its exit code in the pipe `code`.
const { readFileSync, writeFileSync } = require('node:fs')
const { readFile, writeFile } = require('node:fs/promises')
const { join } = require('node:path')
const { Writable } = require('node:stream')
const { Script } = require('node:vm')
const { openPacks } = require('../../bin/launch.js')

const folder = process.argv[2]
const dist = join(__dirname, '../../dist')
const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
const load = openPacks(manifest, (filename, source) => new Script(source, { filename }))

/** Puts a stream that collects what is written in the place of a standard one, which is no file or pipe here. */
function collected(name) {
  const chunks = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  Object.defineProperty(process, name, { configurable: true, value: stream })
  return () => Buffer.concat(chunks)
}

function setEnvironment(pairs) {
  for (const name of Object.keys(process.env)) delete process.env[name]
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    process.env[pair.slice(0, at)] = pair.slice(at + 1)
  }
}

async function answer(request) {
  const [cwd, count, ...rest] = request.split('\0').slice(0, -1)
  const outputs = { out: collected('stdout'), err: collected('stderr') }
  process.chdir(cwd)
  process.argv.splice(2, Infinity, ...rest.slice(0, Number(count)))
  setEnvironment(rest.slice(Number(count)))
  const code = await load(manifest.entry).run(manifest.source, join(dist, 'web'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal)
  for (const [name, output] of Object.entries(outputs)) writeFileSync(join(folder, name), output())
  await writeFile(join(folder, 'code'), `${code}\n`)
}

async function main() {
  for (;;) await answer(await readFile(join(folder, 'request'), 'utf8'))
}
main()
