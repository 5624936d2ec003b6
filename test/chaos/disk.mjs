import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { boundsOf, resultOf } from './bounds.mjs'
import { filesIn, newMachine } from './machine.mjs'
import { ask, integrityOf, namesIn, serve, sessionOf } from './serve.mjs'

const isRoot = process.getuid?.() === 0
const nobody = 65534

/** A small disk of its own, and what removes it; undefined where it cannot be mounted. */
function smallDisk(mebibytes) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vatom-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'vatom', folder])
  const unmount = () => {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  }
  if (status === 0) process.once('exit', unmount)
  else rmSync(folder, { recursive: true })
  return status === 0 ? folder : undefined
}

const draft = (template, size) => ({
  template,
  vatom: { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType', title: 'Disk' }, private: { text: 'x'.repeat(size) } },
})

/** Writes until the disk is full, goes on writing and reading, frees the disk, and writes again. */
async function fullDisk({ count, isOver }) {
  const folder = smallDisk(6)
  if (folder === undefined)
    return { figures: 'full disk skipped: a small disk can be mounted by root only', faults: [] }
  const db = path.join(folder, 'full.db')
  const ballast = path.join(folder, 'ballast')
  writeFileSync(ballast, Buffer.alloc(2 ** 20))
  const { ready, stop } = await serve(db)
  const token = (await sessionOf(ready)).access_token.token
  const acknowledged = []
  const faults = []
  let refused = 0
  const write = async (at) => {
    const template = `local.vatom::Full${at}::v1`
    const { status, body } = await ask(ready, 'POST', '/v1/templates', { token, body: draft(template, 40_000) })
    if (status === 200) acknowledged.push(template)
    else refused++
    if (status !== 200 && (status !== 503 || typeof body.message !== 'string'))
      faults.push(`a write to a full disk is answered ${status} ${JSON.stringify(body)}`)
    return status
  }
  for (let at = 0; at < count && refused < count / 4 && !isOver(); at++) await write(at)
  if (refused === 0 && !isOver()) faults.push('the disk was never full')
  const read = await ask(ready, 'GET', `/v1/templates/${encodeURIComponent(acknowledged[0])}`, { token })
  if (read.status !== 200) faults.push(`a read on a full disk is answered ${read.status} ${JSON.stringify(read.body)}`)
  rmSync(ballast)
  const again = await write('Again')
  if (again !== 200) faults.push(`with room on the disk, a write is answered ${again}`)
  await stop()
  const stored = namesIn(db, 'templates', 'name')
  const lost = acknowledged.filter((name) => !stored.has(name))
  if (lost.length > 0) faults.push(`${lost.length} acknowledged templates are lost`)
  if (integrityOf(db) !== 'ok') faults.push('the integrity check fails')
  return { figures: `full disk: ${acknowledged.length} acknowledged, ${refused} refused, ${lost.length} lost`, faults }
}

/** Writing commands on a disk that is filled to some bytes: they succeed, or say why and leave nothing half-written. */
async function fullForCommands({ random, count, isOver }) {
  const folder = smallDisk(4)
  if (folder === undefined) return { figures: 'commands on a full disk skipped: mounting needs root', faults: [] }
  const faults = []
  const ballast = path.join(folder, 'ballast')
  let [runs, refused] = [0, 0]
  for (; runs < count && !isOver(); runs++) {
    const home = path.join(folder, `home${runs}`)
    mkdirSync(home)
    fill(ballast, Math.floor(random() * 40_000))
    const { start } = newMachine()
    const env = { HOME: home, VATOM_SERVE_PASSWORD: '' }
    const args =
      runs % 2 === 0
        ? ['init', 'shop']
        : ['context', 'add', 'a', '--base-url', 'https://vatom.example', '--app-id', 'x']
    const { code, err } = await start(args, { env, cwd: home }).ended
    refused += Number(code !== 0)
    if (/^\s+at /m.test(err) || (code !== 0 && code !== 1))
      faults.push(`${args[0]} on a full disk exits ${code}: ${err}`)
    if (filesIn(home).some((name) => name.endsWith('.tmp')))
      faults.push(`${args[0]} on a full disk leaves temporary files`)
    const empty = filesIn(home).filter(
      (name) => !name.startsWith('.cache') && readFileSync(path.join(home, name)).length === 0,
    )
    if (empty.length > 0) faults.push(`${args[0]} on a full disk leaves ${empty.join(', ')} empty`)
    rmSync(home, { recursive: true })
    rmSync(ballast)
  }
  return { figures: `${runs} commands on a full disk, ${refused} refused`, faults }
}

/** Fills the disk of a file, and leaves some bytes free. */
function fill(file, free) {
  writeFileSync(file, '')
  const step = Buffer.alloc(4096)
  try {
    for (;;) writeFileSync(file, step, { flag: 'a' })
  } catch {
    const keep = Math.max(0, readFileSync(file).length - free)
    writeFileSync(file, Buffer.alloc(keep))
  }
}

const publishing = [
  ['init', 'more'],
  ['template', 'create', 'shop/shop.yaml'],
  ['template', 'bump', 'shop/shop.yaml', 'shop'],
  ['context', 'add', 'a', '--base-url', 'https://vatom.example', '--app-id', 'x'],
  ['snapshot', 'save', 'a'],
  ['emit', '$publisher::Shop::v1::First'],
  ['pull', 'pulled'],
]

/** What may not be written: every writing command exits 1 with a sentence, reads go on, and all files stay as they were. */
async function readOnly() {
  const machine = newMachine()
  for (const args of [
    ['init', 'shop'],
    ['apply', 'shop', '--yes'],
  ])
    await machine.start(args).ended
  const home = mkdtempSync(path.join(tmpdir(), 'vatom-read-only-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  cpSync(machine.home, home, { recursive: true })
  for (const name of ['', ...folders(home)]) chmodSync(path.join(home, name), 0o555)
  for (const name of filesIn(home)) chmodSync(path.join(home, name), 0o444)
  chmodSync(home, 0o555)
  const user = isRoot ? { uid: nobody, gid: nobody } : {}
  if (isRoot) chownSync(home, nobody, nobody)
  const before = snapshotOf(home)
  const faults = []
  for (const args of publishing) {
    const { code, err } = await machine.start(args, { env: { HOME: home }, cwd: home, ...user }).ended
    if (code !== 1) faults.push(`${args.join(' ')} in a read-only home exits ${code}: ${err}`)
    if (!/^error: .+/m.test(err) || /^\s+at /m.test(err))
      faults.push(`${args.join(' ')} in a read-only home says ${err}`)
  }
  if (snapshotOf(home) !== before) faults.push('a read-only home has changed')
  return { figures: `${publishing.length} commands in a read-only home refused`, faults }
}

const folders = (home) => [...new Set(filesIn(home).flatMap((name) => parents(path.dirname(name))))]
const parents = (folder) => (folder === '.' ? [] : [folder, ...parents(path.dirname(folder))])
const snapshotOf = (home) =>
  JSON.stringify(filesIn(home).map((name) => [name, readFileSync(path.join(home, name)).length]))

/** A disk that is full for `serve` and for commands, and folders and a database that may only be read. */
export async function run(args) {
  const { seed, ...bounds } = boundsOf(args, { count: 200, seconds: 300 })
  const parts = [
    await fullDisk(bounds),
    await fullForCommands({ ...bounds, count: bounds.count / 4 }),
    await readOnly(),
  ]
  return resultOf(
    parts.map(({ figures }) => figures).join(', '),
    parts.flatMap(({ faults }) => faults),
    seed,
  )
}
