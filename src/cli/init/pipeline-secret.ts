import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isSamePublisher } from '../../contract/schema/domain-name.ts'
import { normalized } from '../service/target.ts'
import { namesIn, textAt } from './repository-files.ts'
import type { WorkflowName } from './workflow.ts'

/** The secret of a repository that a pipeline takes its session from. */
export const usualSecret = 'VATOM_REFRESH_TOKEN'

interface Own {
  /** Where the pipeline is to be written. */
  readonly root: string
  readonly workflow: WorkflowName
  /** Names its catalog: `objects-tea`. */
  readonly name: string
  /** What stands in a pipeline for a value that is not known yet. */
  readonly unknown: readonly string[]
}

/**
 * A pipeline with the secret that it reads: that of another one in the repository with the same service and publisher, or
 * else one that none of them reads. A session is of one publisher.
 */
export function withOwnSecret(text: string, { root, workflow, name, unknown }: Own): { text: string; secret: string } {
  const others = pipelinesIn(root, workflow)
  const own = valuesOf(text, unknown)
  const shared = others.filter((other) => agree(own, valuesOf(other, unknown))).map(secretOf)
  const [first = freeSecret(name, others.map(secretOf))] = shared
  const secret = shared.includes(usualSecret) ? usualSecret : first
  return { text: secret === usualSecret ? text : reading(secret, text), secret }
}

/** The texts of the pipelines in a repository that plan a catalog. */
const pipelinesIn = (root: string, workflow: WorkflowName): string[] =>
  pipelineFiles[workflow](root)
    .map((file) => join(root, file))
    .flatMap((path) => (existsSync(path) ? (textAt(path) ?? []) : []))
    .filter((text) => text.includes(' vatom plan '))

const pipelineFiles: Readonly<Record<WorkflowName, (root: string) => string[]>> = {
  github: (root) => filesIn(root, '.github/workflows'),
  gitlab: (root) => ['.gitlab-ci.yml', ...filesIn(root, '.gitlab')],
  'pre-commit': () => [],
}

const filesIn = (root: string, folder: string): string[] =>
  statSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory()
    ? namesIn(join(root, folder)).flatMap((file) => (/\.ya?ml$/.test(file) ? `${folder}/${file}` : []))
    : []

/** A pipeline of the manual that reads another secret. On GitLab, a secret is a variable of all jobs. */
const reading = (secret: string, text: string): string =>
  text
    .replaceAll(`secrets.${usualSecret}`, `secrets.${secret}`)
    .replaceAll(`&& $${usualSecret}`, `&& $${secret}`)
    .replaceAll(onGitLab, `${usualSecret}="$${secret}" $&`)

/** A command with a session in a script of GitLab, where `variables` of a job do not win over secrets. */
const onGitLab = /(?<=^ +- )npx .*vatom (?=plan |apply )/gm

/** The secret that a pipeline reads. */
function secretOf(text: string): string {
  const [, secret = usualSecret] = /\bVATOM_REFRESH_TOKEN(?:: \$\{\{ *secrets\.|="?\$)(\w+)/.exec(text) ?? []
  return secret
}

/** The service and the publisher of a pipeline, as far as they are known. */
const valuesOf = (text: string, unknown: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/^ +(VATOM_(?:BASE_URL|APP_ID|PUBLISHER)): *(["']?)(.*?)\2 *(?: #.*)?$/gm)].flatMap(
      ([, key = '', , value = '']) => (unknown.includes(value) ? [] : [[key, value]]),
    ),
  )

/** Whether no value that is known of both differs. */
const agree = (own: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  [...own].every(([key, value]) => (isSame[key] ?? Object.is)(other.get(key) ?? value, value))

/** When values that are written otherwise mean the same. */
const isSame: Readonly<Record<string, (one: string, other: string) => boolean>> = {
  VATOM_BASE_URL: (one, other) => normalized(one) === normalized(other),
  VATOM_PUBLISHER: isSamePublisher,
}

/** A secret that no other pipeline reads: the folders `teams/alpha` and `teams-alpha` have the same name. */
function freeSecret(name: string, taken: readonly string[], count = 0): string {
  const words = [usualSecret, ...(count > 0 ? [name] : []), ...(count > 1 ? [count] : [])]
  const secret = words.join('_').replaceAll(/\W/g, '_').toUpperCase()
  return taken.includes(secret) ? freeSecret(name, taken, count + 1) : secret
}
