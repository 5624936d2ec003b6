import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { entry, newMachine } from '../support/binary.ts'
import { gitIn } from '../support/git.ts'

test('the hook of pre-commit compares submodules with the index that is about to be committed', async () => {
  const { home, vatom } = newMachine()
  expect(await vatom(['init', 'repo/catalog', '--no-input'])).toMatchObject({ code: 0 })
  const [repo, other] = [gitIn({ home }, 'repo'), gitIn({ home }, 'other')]
  repo('init')
  expect(await vatom(['init', 'repo/catalog', '--workflow', 'pre-commit'])).toMatchObject({ code: 0 })
  mkdirSync(join(home, 'other'))
  writeFileSync(join(home, 'other/readme.md'), 'Other\n')
  for (const words of [['init'], ['add', '.'], ['commit', '-m', 'first']]) other(...words)
  repo('submodule', 'add', join(home, 'other'), 'catalog/other')
  repo('add', '.')
  repo('commit', '-m', 'begin')
  const [{ entry: line }] = parse(readFileSync(join(home, 'repo/.pre-commit-config.yaml'), 'utf8')).repos[0].hooks
  const command = String(line).replace('npx --no --offline vatom', `'${process.execPath}' '${entry}'`)
  writeFileSync(join(home, 'repo/.git/hooks/pre-commit'), `#!/bin/sh\n${command} 2>> ../said\n`, { mode: 0o755 })
  const said = () => readFileSync(join(home, 'said'), 'utf8')
  const submodule = gitIn({ home }, 'repo/catalog/other')
  const move = () => submodule('commit', '--allow-empty', '-m', 'next')

  move()
  repo('commit', '-a', '-m', 'all')
  move()
  repo('commit', '-m', 'one', 'catalog/other')
  move()
  repo('add', 'catalog/other')
  repo('commit', '-m', 'staged')
  expect(said()).not.toContain('[checkout]')
  move()
  expect(() => repo('commit', '--allow-empty', '-m', 'without it')).toThrow('Command failed')
  expect(said()).toContain('warning[checkout]: is a submodule that is not at the commit in the index of git')
}, 120_000)
