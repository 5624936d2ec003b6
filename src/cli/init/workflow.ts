import { existsSync, readdirSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { isLoopbackUrl } from '../../contract/api/loopback.ts'
import { lineText } from '../../documents/edit/yaml-text.ts'
import { isCatalogFolder } from '../../documents/load/catalog-folder.ts'
import { branchOf, defaultBranchOf } from '../../documents/load/git-head.ts'
import { submodulePaths } from '../../documents/load/git-modules.ts'
import { repositoryRoot } from '../../documents/load/git-repository.ts'
import { isWithin, leadsTo, pointsOutside, realPath } from '../../file-system.ts'
import { aboveText } from '../catalog/catalog-paths.ts'
import type { Context } from '../context.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { operandWord, shellWord, styled } from '../io/text.ts'
import { writeAll } from '../kinds/rewriting.ts'
import { givenPublisher } from '../service/publisher.ts'
import { loginTo, type NetworkTarget, unlessHalf } from '../service/target.ts'
import type { FurtherWorkflow } from './further-workflow.ts'
import { fileExists } from './init.ts'
import { type NpmProject, npmProject } from './npm-project.ts'
import { installedWith, missingSetting, type PackageManager } from './package-managers.ts'
import { usualSecret, withOwnSecret } from './pipeline-secret.ts'
import { textAt } from './repository-files.ts'
import { refuseInSubmodule, submodulesOf, withSubmodules } from './submodules.ts'

interface Workflow {
  /** Where it is in a repository. */
  readonly file: string
  /** The command that makes it work, with the secret that it reads. */
  readonly next: (secret: string) => string
}

/** A pipe alone would store an empty secret where there is no token. */
const storeToken = (store: string) => `token=$(vatom auth token --refresh --yes) && printf %s "$token" | ${store}`

const workflows = {
  github: {
    file: '.github/workflows/catalog.yml',
    next: (secret) => storeToken(`gh secret set ${secret}`),
  },
  gitlab: {
    file: '.gitlab-ci.yml',
    next: (secret) => storeToken(`glab variable set ${secret} --masked`),
  },
  'pre-commit': { file: '.pre-commit-config.yaml', next: () => 'pre-commit install' },
} as const satisfies Readonly<Record<string, Workflow>>
export type WorkflowName = keyof typeof workflows

/** Writes the pipeline of the manual for the catalog in a folder, to where it belongs in the repository around it. */
export async function writeWorkflow(dir: string, name: WorkflowName, context: Context): Promise<void> {
  const { host, output, dryRun } = context
  refuseAbove(dir, name, host.cwd)
  const given = resolve(host.cwd, dir)
  const root = repositoryOf(given, host.cwd)
  const catalog = withoutLinks(given, root)
  const { file: usual, next } = workflows[name]
  const folder = folderIn(root, catalog)
  const place = { catalog, root, submodules: submodulePaths(textOf(join(root, '.gitmodules')) ?? '') }
  refuseInSubmodule(place, { dir, workflow: name, cwd: host.cwd })
  const installed = npmProject([given, host.cwd], root)
  const project = folderIn(root, installed.folder ?? root)
  const target = await context.target().catch(unlessHalf)
  const isElsewhere = target?.kind === 'network' && !isLoopbackUrl(target.baseUrl)
  const service =
    isElsewhere && name !== 'pre-commit'
      ? checkedService({ ...target, publisher: target.publisher ?? givenPublisher(context) })
      : undefined
  const before = textOf(join(root, usual))
  const branch = defaultBranchOf(root)
  const submodules = name === 'pre-commit' ? [] : await submodulesOf(place, host)
  const filled = filledIn(await manualFile(usual), { folder, project, branch, manager: installed.manager })
  const manual = submodules.length > 0 ? withSubmodules(filled) : filled
  const found = await workflowFor({ name, usual, folder, before, manual })
  const path = relative(host.cwd, join(root, found?.file ?? usual))
  const addsTo = found?.file === usual ? before : undefined
  if (found === undefined || (addsTo === undefined && existsSync(join(root, found.file)))) {
    if (name === 'pre-commit' && before !== undefined && !isOf(before, folder))
      await showHook(manual, { folder, path, before }, output)
    const isThere = isOf(textOf(join(host.cwd, path)) ?? '', folder)
    throw fileExists(
      path,
      isThere
        ? `${folder} is in it already; to compare that with the manual: vatom help pipelines`
        : 'add to it what the manual shows, with names of its own for a second catalog: vatom help pipelines',
    )
  }
  if (pointsOutside(join(root, found.file), root))
    throw new Failure('file', exit.refused, `${path} is outside of the repository because of a link`, {
      hint: 'remove the link',
    })
  const filledText = service ? withService(found.text, service) : found.text
  const unknown = Object.values(placeholders)
  const { text: after, secret } = withOwnSecret(filledText, { root, workflow: name, name: ownName(folder), unknown })
  await writeAll([{ file: path, before: addsTo, after }], context)
  const wrote = addsTo === undefined ? ['Wrote', 'Would write'] : ['Added a hook to', 'Would add a hook to']
  output.report({ workflow: name, file: path }, () => [styled`${wrote[dryRun ? 1 : 0] ?? ''} ${path}`])
  if (!existsSync(catalog))
    output.note(
      styled`${dir} does not exist: the pipeline fails until it does; to make it: vatom init ${shellWord(dir)}`,
    )
  if (catalog !== given)
    output.note(styled`The pipeline has ${folder}, where ${dir} leads: git keeps no files behind a link`)
  if (name !== 'pre-commit' && service === undefined && target?.kind === 'network')
    output.note(
      styled`a pipeline cannot reach ${target.baseUrl}, which is on this machine: write the address of its service`,
    )
  const left = [...unknown, ...otherBranch(branch ?? branchOf(root))].filter((one) => after.includes(one))
  if (left.length > 0) output.note(styled`Replace in it: ${left.join(', ')}`)
  if (service?.name !== undefined)
    output.note(styled`The pipeline uses ${service.baseUrl}, the service of the context ${service.name}`)
  if (submodules.length > 0)
    output.note(
      styled`It checks out ${submodules.join(', ')}, too: where the repository of a submodule is private, let the pipeline read it`,
    )
  for (const note of projectNotes(installed, { folder, project, root })) output.note(styled`${note}`)
  if (secret !== usualSecret)
    output.note(styled`It reads the secret ${secret}: each publisher and service of the repository has one of its own`)
  if (!isWithin(root, host.cwd)) output.note(styled`Next: cd ${shellWord(relative(host.cwd, root))}`)
  const session = secret === usualSecret ? 'pipeline' : `pipeline-${ownName(folder)}`
  // A session of its own: nobody else's logout ends it.
  const login = name === 'pre-commit' || service?.environmentTokens ? [] : [loginTo(session, service ?? placeholders)]
  for (const step of [...(found.next ?? []), ...login, ...(addsTo === undefined ? [next(secret)] : [])])
    output.note(styled`Next: ${step}`)
  output.note('All steps: vatom help pipelines')
}

/** Throws a usage error for a folder that is no catalog and has one in it: the pipeline would check the wrong folder. */
function refuseAbove(dir: string, name: WorkflowName, cwd: string): void {
  const root = resolve(cwd, dir)
  if (!existsSync(root) || isCatalogFolder(root)) return
  const below = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isCatalogFolder(join(root, entry.name)))
    .map((entry) => join(dir, entry.name))
  const [first, ...others] = below
  if (first === undefined) return
  throw usage(
    aboveText(dir, below),
    `${others.length > 0 ? 'for one of them' : 'did you mean'}: vatom init ${operandWord(first)} --workflow ${name}`,
  )
}

const isPlain = ({ baseUrl }: Pick<NetworkTarget, 'baseUrl'>): boolean => !baseUrl.startsWith('https:')

/** Where a pipeline takes vatom from, and what the repository lacks for that. */
function projectNotes(
  { folder: installed, locked, declared, manager }: NpmProject,
  { folder, project, root }: Pick<Values, 'folder' | 'project'> & { readonly root: string },
): string[] {
  const missing = missingSetting(manager, locked ?? declared ?? root)
  const reason =
    locked === undefined ? 'packageManager in package.json names it' : 'the repository has a lock file of it'
  return [
    ...(project === './' ? [] : [`It takes vatom from ${project}, whose package.json names it`]),
    ...(manager.isCached ? [] : [`${manager.name} installs vatom, as ${reason}`]),
    ...(installed === undefined
      ? [
          `No package.json in ${folder} or above it names vatom, which the pipeline installs from one: ${manager.add}, see vatom help pipelines`,
        ]
      : []),
    ...(installed !== undefined && locked === undefined
      ? [`No ${manager.lockfiles[0]} in ${project}, which the pipeline installs vatom from: ${manager.lock}`]
      : []),
    ...(missing === undefined
      ? []
      : [`The pipeline runs vatom with npx, which finds it in node_modules: add to ${missing.file}: ${missing.text}`]),
  ]
}

/** The text of a file; undefined if there is none. Throws where it cannot be read, or something else has its name, such as a pipe. */
function textOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const text = textAt(file)
  if (text === undefined) throw fileExists(file, 'it is no regular file, or too large: remove it')
  return text
}

interface Wanted {
  readonly name: WorkflowName
  readonly usual: string
  readonly folder: string
  /** What the usual file says now. */
  readonly before: string | undefined
  readonly manual: string
}

/** The pipeline of a catalog, beside that of another one or of other tools; undefined where a file is in the way. */
async function workflowFor({ name, usual, folder, before, manual }: Wanted): Promise<FurtherWorkflow | undefined> {
  if (before === undefined) return { file: usual, text: manual }
  if (isOf(before, folder)) return undefined
  const { foreignWorkflows, furtherWorkflows } = await import('./further-workflow.ts')
  const workflow = (before.includes(' vatom validate ') ? furtherWorkflows : foreignWorkflows)[name]
  return workflow?.({ manual, name: ownName(folder), usual, existing: before })
}

/** Whether a pipeline is that of the catalog in a folder. */
const isOf = (text: string, folder: string): boolean => text.split(/\s/).includes(folder)

/** The folder of a catalog, and a pre-commit configuration with what it says now. */
interface Hooked {
  readonly folder: string
  readonly path: string
  readonly before: string
}

/** Shows the lines for a pre-commit configuration that cannot be added to safely. */
async function showHook(manual: string, { folder, path, before }: Hooked, output: Context['output']): Promise<void> {
  const { hookRepository } = await import('./further-workflow.ts')
  const lines = hookRepository(manual, ownName(folder), before).replace(/\n$/, '').split('\n')
  output.complain([styled`To check this catalog, too, add to the list repos of ${path}:`, ...lines])
}

/** What names a further catalog: `objects-tea`. */
const ownName = (folder: string) => folder.replace(/^\.?\/|\/$/g, '').replaceAll('/', '-') || 'root'

const branches = (name: string) => `branches: [${name}]`
/** The branch that the pipeline of the manual applies. */
const manualBranch = 'main'

/** What names the branch of the manual's pipeline, where a repository has another one. */
const otherBranch = (branch = manualBranch): readonly string[] =>
  branch === manualBranch ? [] : [branches(manualBranch)]

/** Whether a branch can stand in a list of patterns as it is. */
const isPlainBranch = (name: string): boolean => /^[a-z][\w./-]*$/i.test(name)

/** The repository of a catalog; where it has none, that of the working directory, or this folder itself. */
const repositoryOf = (catalog: string, cwd: string): string => repositoryRoot(catalog) ?? repositoryRoot(cwd) ?? cwd

/** Where a folder leads to in a repository, as a path below that; or elsewhere. */
function withoutLinks(folder: string, root: string): string {
  const [outer, inner] = [realPath(root), leadsTo(folder)]
  return isWithin(outer, inner) ? join(root, relative(outer, inner)) : inner
}

/** A folder as the pipeline names it: `catalog/`, or `./` for the repository itself. */
function folderIn(root: string, given: string): string {
  const path = relative(root, given).split(sep).join('/')
  if (!isWithin(root, given))
    throw usage(`${given} is outside the repository ${root}`, `change to its folder: cd ${shellWord(given)}`)
  if (!/^(?!-)[\w./-]*$/.test(path))
    throw usage(
      `A pipeline cannot name the folder ${path}`,
      'rename it, for example catalog: letters, digits and . _ - are possible, but - not at its beginning',
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
  /** The folder of the package.json that names vatom. */
  readonly project: string
  /** The branch that the pipeline applies; that of the manual where it is not known. */
  readonly branch: string | undefined
  readonly manager: PackageManager
}

/** A pipeline of the manual for a folder of a repository. None of the values has more than letters, digits and . _ / -. */
function filledIn(text: string, { folder, project, manager, branch = manualBranch }: Values): string {
  const pattern = folder === './' ? '' : folder.replaceAll('.', '\\.')
  const applied = isPlainBranch(branch) ? text.replace(branches(manualBranch), branches(lineText(branch))) : text
  const placed = applied.replaceAll('^catalog/', `^${pattern}`).replaceAll(/(?<= )catalog\//g, folder)
  return installedWith(manager, project === './' ? undefined : project.replace(/\/$/, ''), placed)
}

/** Throws a usage error for a value with a `$`, from which on pipelines read a variable or an expression, in quotes, too. */
function checkedService(service: NetworkTarget): NetworkTarget {
  const found = [service.baseUrl, service.appId].find((value) => value.includes('$'))
  if (found === undefined) return service
  throw usage(
    `A pipeline cannot have ${found}: it would read a variable behind the $`,
    'write the pipeline yourself, with the value in a variable of its settings: vatom help pipelines',
  )
}

/** A pipeline that uses a service, each of whose values is one text of YAML. */
function withService(text: string, service: NetworkTarget): string {
  const { baseUrl, appId, publisher } = placeholders
  const values = new Map([
    [baseUrl, service.baseUrl],
    [appId, service.appId],
    [publisher, service.publisher],
  ])
  const allowed = isPlain(service) ? text.replace(/^( +)VATOM_APP_ID: .*\n/m, '$&$1VATOM_INSECURE: "1"\n') : text
  return allowed.replace(/(?<=^ +VATOM_\w+: )\S+$/gm, (shown) => {
    const value = values.get(shown)
    return value === undefined ? shown : lineText(value)
  })
}
