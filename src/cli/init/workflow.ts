import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { isLoopbackUrl } from '../../contract/api/loopback.ts'
import { isWithin, nearestWith } from '../../file-system.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure/failure.ts'
import { shellWord, styled } from '../io/text.ts'
import { writeAll } from '../kinds/rewriting.ts'
import type { NetworkTarget } from '../service/target.ts'
import { fileExists } from './init.ts'

interface Workflow {
  /** Where it is in a repository. */
  readonly file: string
  /** The command that makes it work. */
  readonly next: string
}

/** A pipe alone would store an empty secret where there is no token. */
const storeToken = (store: string) => `token=$(vatom auth token --refresh --yes) && printf %s "$token" | ${store}`

const workflows = {
  github: {
    file: '.github/workflows/catalog.yml',
    next: storeToken('gh secret set VATOM_REFRESH_TOKEN'),
  },
  gitlab: {
    file: '.gitlab-ci.yml',
    next: storeToken('glab variable set VATOM_REFRESH_TOKEN --masked'),
  },
  'pre-commit': { file: '.pre-commit-config.yaml', next: 'pre-commit install' },
} as const satisfies Readonly<Record<string, Workflow>>
export type WorkflowName = keyof typeof workflows

/** Writes the pipeline of the manual for the catalog in a folder, to where it belongs in the repository around it. */
export async function writeWorkflow(dir: string, name: WorkflowName, context: Context): Promise<void> {
  const { host, output, dryRun } = context
  const root = repositoryOf(host.cwd)
  const { file: usual, next } = workflows[name]
  const folder = folderIn(root, resolve(host.cwd, dir))
  const second = name === 'github' && isOfOther(join(root, usual), folder) ? ownName(folder) : undefined
  const file = second === undefined ? usual : `.github/workflows/${second}.yml`
  const path = relative(host.cwd, join(root, file))
  if (existsSync(join(root, file)))
    throw fileExists(
      path,
      'add to it what the manual shows, with names of its own for a second catalog: vatom help pipelines',
    )
  const target = await context.target()
  const service = target.kind === 'network' && !isLoopbackUrl(target.baseUrl) ? target : undefined
  const filled = filledIn(await manualFile(usual), { folder, service })
  const after = second === undefined ? filled : filled.replace(/(?<=^name: |^ {2}group: )catalog/gm, second)
  await writeAll([{ file: path, before: undefined, after }], context)
  output.result({ workflow: name, file: path }, () => [styled`${dryRun ? 'Would write' : 'Wrote'} ${path}`])
  const left = Object.values(placeholders).filter((placeholder) => after.includes(placeholder))
  if (left.length > 0) output.note(styled`Replace in it: ${left.join(', ')}`)
  const needsLogin = name !== 'pre-commit' && service?.name === undefined
  for (const step of [...(needsLogin ? [loginTo(service ?? placeholders)] : []), next])
    output.note(styled`Next: ${step}`)
  output.note('All steps: vatom help pipelines')
}

const loginTo = ({ baseUrl, appId }: Pick<NetworkTarget, 'baseUrl' | 'appId'>) =>
  `vatom login --context pipeline --base-url ${baseUrl} --app-id ${appId}`

/** Whether a pipeline exists that checks the catalog of another folder. */
function isOfOther(file: string, folder: string): boolean {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text.includes(' vatom validate ') && !text.includes(` vatom validate ${folder} `)
}

/** The name of the workflow of a second catalog: `catalog-objects-tea`. */
const ownName = (folder: string) =>
  `catalog-${folder.replace(/^\.?\/|\/$/g, '').replaceAll('/', '-')}`.replace(/-$/, '')

/** The nearest folder that is a repository; the folder itself outside of one. */
const repositoryOf = (cwd: string): string => nearestWith('.git', cwd) ?? cwd

/** The catalog's folder as the pipeline names it: `catalog/`, or `./` for the repository itself. */
function folderIn(root: string, catalog: string): string {
  const path = relative(root, catalog).split(sep).join('/')
  if (!isWithin(root, catalog))
    throw usage(`${catalog} is outside the repository ${root}`, `change to its folder: cd ${shellWord(catalog)}`)
  if (!/^[\w./-]*$/.test(path))
    throw usage(
      `A pipeline cannot name the folder ${path}`,
      'rename it: letters, digits and . _ - are possible, for example catalog',
    )
  return path === '' ? './' : `${path}/`
}

/** What a person has to replace in the text of the manual. */
const placeholders = { baseUrl: 'https://api.example.com', appId: 'your-app-id', publisher: 'publisher.example' }

/** A file that the manual's page about pipelines shows. */
async function manualFile(name: string): Promise<string> {
  const { default: page } = await (await import('../../docs/pages.ts')).pages.pipelines()
  const [, after = ''] = page.split(`<!-- file ${name} -->`)
  return /```yaml\n(.*?)^```$/ms.exec(after)?.[1] ?? ''
}

interface Values {
  readonly folder: string
  readonly service: Pick<NetworkTarget, keyof typeof placeholders> | undefined
}

function filledIn(text: string, { folder, service }: Values): string {
  const pattern = folder === './' ? '' : folder.replaceAll('.', '\\.')
  const placed = text.replaceAll('^catalog/', `^${pattern}`).replaceAll(/(?<= )catalog\//g, folder)
  const insecure = service && !service.baseUrl.startsWith('https:')
  const allowed = insecure ? placed.replace(/^( +)VATOM_APP_ID: .*\n/m, '$&$1VATOM_INSECURE: "1"\n') : placed
  return Object.entries({ ...service }).reduce(
    (filled, [key, value]) => (isPlaceholder(key) && value ? filled.replaceAll(placeholders[key], value) : filled),
    allowed,
  )
}

const isPlaceholder = (key: string): key is keyof typeof placeholders => Object.hasOwn(placeholders, key)
