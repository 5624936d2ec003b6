import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { wrkPeer } from './peers.mjs'
import { scratchFolder } from './vatom.mjs'

const milliseconds = { us: 0.001, ms: 1, s: 1000 }

function readReport(text) {
  const [, p99, unit] = text.match(/99%\s+([\d.]+)(us|ms|s)/) ?? []
  const rate = Number(text.match(/Requests\/sec:\s+([\d.]+)/)?.[1])
  if (!rate || /Non-2xx/.test(text)) throw new Error(`wrk reports\n${text}`)
  return { rate, p99: Number(p99) * milliseconds[unit] }
}

/** What wrk makes of a request: its Lua script. */
function script({ method = 'GET', headers = {}, body }) {
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  )
  const file = path.join(scratchFolder(), 'request.lua')
  writeFileSync(
    file,
    [`wrk.method = "${method}"`, body && `wrk.body = [[${body}]]`, ...lines].filter(Boolean).join('\n'),
  )
  return file
}

/** Sends one request over and over, on one thread; gives requests a second and the slowest hundredth in milliseconds. */
export function loadOf(request, { connections = 32, seconds = 4 } = {}) {
  const { program, env } = wrkPeer()
  const lua = script(request)
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', lua, request.url]
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, ...env } })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    child.once('error', reject)
    child.once('close', () => {
      try {
        resolve(readReport(text))
      } catch (error) {
        reject(error)
      }
    })
  })
}
