import { cpSync, existsSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { loginWords, scratchFolder } from '../bench/vatom.mjs'
import { filesIn, newMachine } from './machine.mjs'
import { integrityOf, serve } from './serve.mjs'

/** The exit code where a service does not answer. */
const unreachable = 5
const planIsEmpty = ['plan', 'shop', '--exit-code']

/** What stands in a home before a command is killed there: commands that are run one after the other. */
const initial = { command: ['init', 'shop'] }
const applied = { from: initial, command: ['apply', 'shop', '--yes'] }
const saved = { from: applied, command: ['snapshot', 'save', 'before'] }
const fixable = {
  from: initial,
  prepare: (home) => {
    for (const name of ['shop', 'shop.variation']) {
      const file = path.join(home, 'shop', `${name}.yaml`)
      writeFileSync(file, readFileSync(file, 'utf8').replace('unpublished: true', 'unpublished: yes'))
    }
  },
}
const picture = {
  from: applied,
  prepare: (home) => writeFileSync(path.join(home, 'a.txt'), 'text\n'.repeat(20_000)),
}
const known = {
  from: initial,
  command: ['context', 'add', 'other', '--base-url', 'https://vatom.example', '--app-id', 'x'],
}
/** A context of a service at which nobody answers. */
const elsewhere = {
  from: initial,
  command: ['context', 'add', 'moved', '--base-url', 'http://127.0.0.1:9', '--app-id', 'x'],
}

/** Commands that write: where each is run, and a command that must succeed when it was killed and then run again; `unsent` must not reach a service before. */
const commands = {
  init: { args: ['init', 'shop'], check: ['validate', 'shop'] },
  pull: { from: applied, args: ['pull', 'pulled'], check: ['validate', 'pulled'] },
  apply: { from: initial, args: applied.command, check: planIsEmpty },
  'template create': { from: initial, args: ['template', 'create', 'shop/shop.yaml'] },
  'template bump': { from: initial, args: ['template', 'bump', 'shop/shop.yaml', 'shop'], check: ['validate', 'shop'] },
  'validate --fix': { from: fixable, args: ['validate', 'shop', '--fix'] },
  login: { from: initial, args: ['login'], isSignIn: true, check: ['whoami'] },
  'login to another service': {
    from: elsewhere,
    args: ['login'],
    isSignIn: true,
    more: ['--context', 'moved'],
    unsent: ['whoami', '--context', 'moved', '--timeout', '1'],
    check: ['whoami'],
  },
  'context add': { from: initial, args: known.command, check: ['context', 'list'] },
  'context use': { from: known, args: ['context', 'use', 'other'], check: ['context', 'list'] },
  'snapshot save': {
    from: applied,
    args: ['snapshot', 'save', 'a', '--force'],
    check: ['snapshot', 'load', 'a', '--yes'],
  },
  'snapshot load': { from: saved, args: ['snapshot', 'load', 'before', '--yes'], check: planIsEmpty },
  reset: { from: applied, args: ['reset', '--yes'], check: applied.command },
  'asset upload': { from: picture, args: ['asset', 'upload', 'a.txt'], check: ['asset', 'list'] },
  emit: { from: applied, args: ['emit', '$publisher::Shop::v1::First', '--num', '3'], check: ['inventory'] },
}

/** Homes by what prepared them, each made once and copied. */
const homes = new Map()

async function homeOf(state) {
  if (state === undefined) return undefined
  if (!homes.has(state)) homes.set(state, await prepared(state))
  return homes.get(state)
}

async function prepared({ from, command, prepare }) {
  const machine = await machineFrom(from)
  prepare?.(machine.home)
  if (command) await succeed(machine, command)
  return machine.home
}

async function machineFrom(state) {
  const machine = newMachine()
  const base = await homeOf(state)
  if (base !== undefined) cpSync(base, machine.home, { recursive: true })
  return machine
}

async function succeed(machine, args) {
  const { code, err } = await machine.start(args).ended
  if (code !== 0) throw new Error(`vatom ${args.join(' ')} exits ${code}: ${err}`)
}

/** What differs between runs in names and texts: ids, process ids, hashes. */
const plain = (text) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}(\.\d+(?:_\d*_\w+)?)?/g, 'ID')
    .replaceAll(/\b[0-9a-f]{16}\b/g, 'HASH')
    .replaceAll(/(catalog: \S*)-[0-9a-f]{6}\b/g, '$1')

/** Without caches, and without what SQLite writes beside a database. */
const isResult = (name) => !name.startsWith('.cache') && !/\.db-(wal|shm|journal)$/.test(name)
const isText = (name) => /^(shop|pulled)\//.test(name)

/** The files of a home by their names; of documents also the text. */
const stateOf = (home) =>
  filesIn(home)
    .filter(isResult)
    .map((name) => [plain(name), isText(name) ? plain(readFileSync(path.join(home, name), 'utf8')) : ''])
    .sort()

/** What is wrong in a home where a command was killed: half a document, a file of settings or a database that is damaged. */
function damages(home, allowed) {
  const found = []
  for (const name of filesIn(home).filter(isResult)) {
    const file = path.join(home, name)
    if (name.endsWith('.tmp')) continue
    if (isText(name) && !allowed.has(plain(readFileSync(file, 'utf8')))) found.push(`${name} is neither old nor new`)
    if (name.endsWith('.json') && !isJson(readFileSync(file, 'utf8'))) found.push(`${name} is no JSON`)
  }
  const db = path.join(home, '.local/share/vatom/local.db')
  if (existsSync(db) && integrityOf(db) !== 'ok') found.push(`the integrity check of ${db} fails`)
  return found
}

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const temporary = (home) => filesIn(home).filter((name) => name.endsWith('.tmp'))

/** Ends a process after some milliseconds, or at some milliseconds after its first change of a file. */
async function killed({ child, ended }, { home, milliseconds, afterChange }) {
  const isDone = ended.then(() => 'done')
  if (afterChange) {
    const watcher = watch(home, { recursive: true })
    const changed = new Promise((resolve) => watcher.on('change', (_, name) => isResult(String(name)) && resolve()))
    await Promise.race([isDone, changed])
    watcher.close()
  }
  const first = await Promise.race([isDone, setTimeout(milliseconds)])
  if (first !== 'done') child.kill('SIGKILL')
  return (await ended).signal === 'SIGKILL'
}

/** Kills one command at one moment, runs it again, and compares with what an undisturbed run leaves. */
async function killOnce({ from, check, unsent }, reference, options, random) {
  const machine = await machineFrom(from)
  const afterChange = random() < 0.5
  const milliseconds = afterChange ? random() * 15 : reference.took * (0.3 + 0.8 * random())
  const wasKilled = await killed(machine.start(options.args, options), {
    home: machine.home,
    milliseconds,
    afterChange,
  })
  const found = damages(machine.home, reference.texts)
  if (unsent && (await machine.start(unsent).ended).code === unreachable)
    found.push(`after it, ${unsent.join(' ')} sends a session to the service of before`)
  const again = await machine.start(options.args, options).ended
  const state = JSON.stringify(stateOf(machine.home))
  if (again.code !== 0 && again.code !== reference.secondCode)
    found.push(`the next run exits ${again.code}: ${again.err}`)
  if (/^\s+at /m.test(again.err)) found.push(`the next run prints a stack: ${again.err}`)
  if (!reference.states.has(state))
    found.push(`the next run leaves other files: ${differences(state, reference.states)}`)
  found.push(...temporary(machine.home).map((name) => `${name} is left over`))
  if (check && random() < 0.2) {
    const { code, err } = await machine.start(check).ended
    if (code !== 0) found.push(`after it, ${check.join(' ')} exits ${code}: ${err}`)
  }
  rmSync(machine.home, { recursive: true })
  return { wasKilled, found }
}

/** The files that differ from those of the undisturbed run that is most alike. */
function differences(state, states) {
  const entries = (text) => JSON.parse(text).map((entry) => JSON.stringify(entry).slice(0, 300))
  const found = entries(state)
  const unlike = [...states]
    .map(entries)
    .map((expected) => [
      ...found.filter((entry) => !expected.includes(entry)),
      ...expected.filter((entry) => !found.includes(entry)).map((entry) => `not ${entry}`),
    ])
  return unlike.sort((a, b) => a.length - b.length)[0].join(' ')
}

/** What undisturbed runs leave: one, and one after it. */
async function referenceOf(command, options) {
  const machine = await machineFrom(command.from)
  const states = [stateOf(machine.home)]
  const took = []
  const codes = []
  for (let run = 0; run < 3; run++) {
    const start = performance.now()
    codes.push((await machine.start(options.args, options).ended).code)
    took.push(performance.now() - start)
    states.push(stateOf(machine.home))
  }
  if (codes[0] !== 0) throw new Error(`vatom ${options.args.join(' ')} exits ${codes[0]}`)
  return {
    took: Math.min(...took),
    secondCode: codes[1],
    texts: new Set(states.flat().map(([, text]) => text)),
    states: new Set(states.slice(1).map((state) => JSON.stringify(state))),
  }
}

const signInOptions = (ready, more = []) => ({ args: [...loginWords(ready), ...more], input: ready.publisher.password })

/** Kills each writing command at random moments: what it writes is whole, the next run works and nothing is left over. */
export async function killCommands({ each, random, isOver, only }) {
  const { ready, stop } = await serve(path.join(scratchFolder(), 'login.db'))
  const faults = []
  let kills = 0
  let runs = 0
  const chosen = Object.entries(commands).filter(([name]) => name.startsWith(only))
  for (const [name, command] of chosen) {
    const options = command.isSignIn ? signInOptions(ready, command.more) : { args: command.args }
    const reference = await referenceOf(command, options)
    for (let run = 0; run < each && !isOver(); run++) {
      const { wasKilled, found } = await killOnce(command, reference, options, random)
      runs++
      kills += Number(wasKilled)
      faults.push(...found.map((fault) => `${name}, run ${run}: ${fault}`))
    }
  }
  await stop()
  const figures = `${runs} runs of ${chosen.length} writing commands, ${kills} of them killed before their end`
  return { figures, faults }
}
