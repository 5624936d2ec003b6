import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ended } from '../support/binary.ts'
import { newFolder, writeFiles } from '../support/folders.ts'
import { gitIn } from '../support/git.ts'
import { codeBlocks, pageText } from '../support/pages.ts'

/** The hook that the manual shows. */
const hook =
  codeBlocks(pageText('src/docs/pipelines.md')).find(({ code }) => code.startsWith('#!/bin/sh\n'))?.code ?? ''

/** A bare repository with that hook, whose `vatom` writes down what it is to apply, and a clone of it. */
function server() {
  const home = newFolder()
  const app = join(home, 'app')
  writeFiles(home, {
    'app/readme.md': '',
    'bin/vatom': `#!/bin/sh\n[ -e ${join(home, 'slow')} ] && sleep 1\necho "$@: $(cat catalog/coffee.yaml)" >> ${join(home, 'applied')}\n`,
  })
  const [bare, desk] = [gitIn({ home }, 'bare.git'), gitIn({ home }, 'desk')]
  bare('init', '--bare')
  writeFiles(home, { 'bare.git/hooks/post-receive': hook.replaceAll('/srv/app', app) })
  for (const program of ['bin/vatom', 'bare.git/hooks/post-receive']) chmodSync(join(home, program), 0o755)
  desk('init')
  const push = (text: string, branch: string) => {
    writeFiles(home, { 'desk/catalog/coffee.yaml': text })
    desk('add', '.')
    desk('commit', '-m', text)
    const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
    return ended(spawn('git', ['push', '../bare.git', `HEAD:refs/heads/${branch}`], { cwd: join(home, 'desk'), env }))
  }
  const applied = () => (existsSync(join(home, 'applied')) ? readFileSync(join(home, 'applied'), 'utf8') : '')
  const deployed = () =>
    existsSync(join(app, 'catalog')) ? readFileSync(join(app, 'catalog/coffee.yaml'), 'utf8') : ''
  return { home, push, applied, deployed }
}

describe('the hook of a bare repository that the manual shows', () => {
  test('applies what was pushed', async () => {
    const { push, applied } = server()
    expect(await push('first', 'main')).toMatchObject({ code: 0 })
    expect(await push('second', 'main')).toMatchObject({ code: 0 })
    expect(applied()).toBe('apply catalog/ --prune --yes: first\napply catalog/ --prune --yes: second\n')
  })

  test('applies what came first before it deploys what came while that was applied', async () => {
    const { home, push, applied, deployed } = server()
    writeFiles(home, { slow: '' })
    const first = push('first', 'main')
    await expect.poll(deployed).toBe('first')
    expect(await push('second', 'main')).toMatchObject({ code: 0 })
    expect(await first).toMatchObject({ code: 0 })
    expect(applied()).toBe('apply catalog/ --prune --yes: first\napply catalog/ --prune --yes: second\n')
  })

  test('applies nothing where git could not deploy the files, as with a lock that was left', async () => {
    const { home, push, applied } = server()
    await push('first', 'main')
    writeFiles(home, { 'bare.git/index.lock': '' })
    expect((await push('second', 'main')).err).toContain('index.lock')
    expect(applied()).toBe('apply catalog/ --prune --yes: first\n')
  })

  test('applies nothing before there is the branch', async () => {
    const { home, push, applied } = server()
    writeFiles(home, { 'app/catalog/coffee.yaml': 'of something else' })
    expect((await push('first', 'topic')).err).toContain("'main'")
    expect(applied()).toBe('')
  })
})
