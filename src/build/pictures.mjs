import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

/** Makes the pictures of the manual: what `vatom preview` and the console of `vatom serve` show of the examples. */
const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = path.join(root, 'bin/vatom.js')
const pictures = path.join(root, 'src/docs/pictures')
const examples = 'templates-examples'
const home = mkdtempSync(path.join(tmpdir(), 'vatom-pictures-'))
const env = { PATH: process.env.PATH, HOME: home }
const started = []

/** Starts a command that runs until it is stopped; resolves with the first line of JSON that it prints. */
async function start(...args) {
  const child = spawn(process.execPath, [bin, ...args, '--json'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  for await (const line of createInterface(child.stdout)) return JSON.parse(line)
  throw new Error(`vatom ${args.join(' ')} has ended`)
}

/** Writes what a page shows as a small WebP. */
async function write(page, name) {
  await page.mouse.move(0, 0)
  await page.waitForTimeout(1000)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  writeFileSync(path.join(pictures, `${name}.webp`), Buffer.from(data, 'base64'))
}

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  mkdirSync(pictures, { recursive: true })
  const page = await browser.newPage({ viewport: { width: 1200, height: 720 }, colorScheme: 'light' })

  const preview = await start('preview', examples, '--no-open')
  await page.goto(preview.url)
  await page.waitForSelector('html[data-ready]')
  await write(page, 'preview')

  const ready = await start(
    'serve',
    '--memory',
    '--port',
    '0',
    '--seed',
    examples,
    '--random-seed',
    'pictures',
    '--log',
    'none',
  )
  const service = {
    VATOM_BASE_URL: ready.base_url,
    VATOM_APP_ID: ready.app_id,
    VATOM_REFRESH_TOKEN: ready.refresh_token,
  }
  const vatom = (...args) =>
    execFileSync(process.execPath, [bin, ...args], {
      cwd: root,
      env: { ...env, ...service },
      encoding: 'utf8',
      stdio: 'pipe',
    })
  for (const variation of ['FrontRow', 'Anniversary', 'GoldenBean::v1::First', 'Espresso', 'AnyCoffee'])
    vatom('emit', variation, '--num', '4', '--yes')
  const [coffee] = vatom('emit', 'AnyCoffee').split('\n')
  vatom('user', 'register', '--email', 'ada@example.com')
  const { payload: user } = JSON.parse(vatom('api', 'GET', 'v1/user', '--json'))
  vatom('act', 'Transfer', coffee, '-d', 'new.owner.email=ada@example.com')
  try {
    vatom('api', 'POST', 'v1/templates', '-f', 'template=local.vatom::Tea::v1')
  } catch {
    // A refusal, for the list of requests.
  }
  const [espresso] = vatom('emit', 'Espresso').split('\n')

  await page.goto(ready.console_url)
  await page.waitForSelector('nav')
  const screen = (hash) => page.goto(`${ready.base_url}/#/${hash}`)
  await screen('requests')
  await page.locator('[role=option]').filter({ hasText: 'createTemplate' }).first().click()
  await write(page, 'requests')
  await screen(`users/${user.id}`)
  await write(page, 'inventory')
  await screen(`users/${user.id}/vatom/${espresso}`)
  await write(page, 'vatom')
  await screen(`catalog/${encodeURIComponent('local.vatom::CoffeeCoupon::v1')}`)
  await write(page, 'catalog')
} finally {
  await browser.close()
  for (const child of started) child.kill()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
