import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { textAt } from './repository-files.ts'

/** A tool that installs what a lock file says. */
export interface PackageManager {
  readonly name: string
  /** How `packageManager` in a package.json begins that names it: `pnpm@9.1.0`. */
  readonly declared: RegExp
  /** Those that it may have, the one that it writes now first. */
  readonly lockfiles: readonly [string, ...string[]]
  /** What its lock file has, where that of another tool has the same name. */
  readonly marks: RegExp
  /** How a person makes vatom a dependency. */
  readonly add: string
  /** How a person gets a lock file. */
  readonly lock: string
  /** How a pipeline on Node's image installs what the lock file in its folder, or another one, says. */
  readonly install: (folder: string | undefined) => string
  /** Whether the pipelines of the manual store its downloads for later jobs. */
  readonly isCached: boolean
  /** Whether it installs in the folder of the lock file alone: others do so from each folder of a workspace, too. */
  readonly installsAtLockfile: boolean
  /** The setting without which npx does not find what it installs. */
  readonly needs?: { readonly file: string; readonly set: RegExp; readonly text: string }
}

/** A command in the repository or a folder of it, which the commands after it do not run in. */
const inFolder = (folder: string | undefined, command: string): string =>
  folder === undefined ? command : `(cd ${folder} && ${command})`

/** The command that gives a machine with Node a tool, and one of the tool. */
const afterSetUp = (setUp: string, command: string) => (folder: string | undefined) =>
  `${setUp} && ${inFolder(folder, command)}`

const npm: PackageManager = {
  name: 'npm',
  declared: /^npm(@|$)/,
  lockfiles: ['package-lock.json'],
  marks: /^/,
  add: 'npm install --save-dev',
  lock: 'npm install',
  install: (folder) => (folder === undefined ? 'npm ci' : `npm ci --prefix ${folder}`),
  isCached: true,
  installsAtLockfile: true,
}

const managers: readonly PackageManager[] = [
  npm,
  {
    name: 'pnpm',
    declared: /^pnpm(@|$)/,
    lockfiles: ['pnpm-lock.yaml'],
    marks: /^/,
    add: 'pnpm add --save-dev',
    lock: 'pnpm install',
    install: afterSetUp('corepack enable', 'pnpm install --frozen-lockfile'),
    isCached: false,
    installsAtLockfile: false,
  },
  {
    name: 'yarn',
    declared: /^yarn(@(?![01]\b)|$)/,
    lockfiles: ['yarn.lock'],
    marks: /^__metadata:/m,
    add: 'yarn add --dev',
    lock: 'yarn install',
    install: afterSetUp('corepack enable', 'yarn install --immutable'),
    isCached: false,
    installsAtLockfile: false,
    needs: {
      file: '.yarnrc.yml',
      set: /^nodeLinker: *["']?(node-modules|pnpm)\b/m,
      text: 'nodeLinker: node-modules',
    },
  },
  {
    name: 'yarn 1',
    declared: /^yarn@[01]\b/,
    lockfiles: ['yarn.lock'],
    marks: /^/,
    add: 'yarn add --dev',
    lock: 'yarn install',
    install: afterSetUp('corepack enable', 'yarn install --frozen-lockfile'),
    isCached: false,
    installsAtLockfile: false,
  },
  {
    name: 'bun',
    declared: /^bun(@|$)/,
    lockfiles: ['bun.lock', 'bun.lockb'],
    marks: /^/,
    add: 'bun add --dev',
    lock: 'bun install',
    install: afterSetUp('npm install --global bun', 'bun install --frozen-lockfile'),
    isCached: false,
    installsAtLockfile: false,
  },
]

/** The tool whose lock file is in a folder; undefined where there is none. */
export const managerIn = (folder: string): PackageManager | undefined =>
  managers.find(({ lockfiles, marks }) =>
    lockfiles.map((name) => join(folder, name)).some((file) => existsSync(file) && marks.test(textAt(file) ?? '')),
  )

/** The tool that `packageManager` in a package.json names; undefined for any other value. */
export const managerDeclared = (value: unknown): PackageManager | undefined =>
  typeof value === 'string' ? managers.find(({ declared }) => declared.test(value)) : undefined

/** The tool that is taken where a repository has neither a lock file, nor names one. */
export const usualManager = npm

/** The file and the line of the setting that a tool needs, and that a folder lacks. */
export function missingSetting({ needs }: PackageManager, folder: string): PackageManager['needs'] {
  if (needs === undefined) return undefined
  const file = join(folder, needs.file)
  return existsSync(file) && needs.set.test(textAt(file) ?? '') ? undefined : needs
}

/**
 * A pipeline of the manual, which uses npm, that installs with another tool, or in a folder of the repository: `app`. Its
 * steps run in the repository itself, as before.
 */
export function installedWith({ install, isCached }: PackageManager, folder: string | undefined, text: string): string {
  const own = isCached ? text : withoutCache(text)
  const installed = own.replaceAll(/(?<=- (?:run: )?)npm ci\b/g, install(folder))
  if (folder === undefined) return installed
  return installed
    .replaceAll('npx --no ', `npx --prefix ${folder} --no `)
    .replaceAll('cache: npm }', `cache: npm, cache-dependency-path: ${folder}/package-lock.json }`)
    .replaceAll('files: [package-lock.json]', `files: [${folder}/package-lock.json]`)
}

/** A pipeline of the manual without what stores the downloads of npm. */
const withoutCache = (text: string): string =>
  text
    .replaceAll(', cache: npm }', ' }')
    .replace(/^ {2}cache:\n(?: {4}.*\n)+/m, '')
    .replace(' --cache .npm --prefer-offline', '')

/** How a pipeline on GitLab installs vatom. */
export const installedBy = (text: string): string | undefined => /^ +before_script:\n +- (.*)$/m.exec(text)?.[1]
