import { installedBy } from './package-managers.ts'
import type { WorkflowName } from './workflow.ts'

/** What is written for a further catalog of a repository. */
export interface FurtherWorkflow {
  /** Where it is in the repository. */
  readonly file: string
  readonly text: string
  /** What has to be done in another file, so that it is used. */
  readonly next?: readonly string[]
}

interface Further {
  /** The pipeline of the manual. */
  readonly manual: string
  /** Names the catalog in names of files and jobs: `objects-tea`. */
  readonly name: string
  /** The file that the first catalog has its pipeline in. */
  readonly usual: string
  readonly existing: string
}

/** The pipelines of a further catalog; undefined where an existing file cannot be added to safely. */
export const furtherWorkflows: Readonly<Record<WorkflowName, (further: Further) => FurtherWorkflow | undefined>> = {
  github: ({ manual, name }) => ({
    file: `.github/workflows/catalog-${name}.yml`,
    text: manual.replace(/(?<=^name: |^ {2}group: )catalog/gm, `catalog-${name}`),
  }),
  gitlab: ({ manual, name, existing }) => {
    const file = `.gitlab/catalog-${name}.yml`
    const isInstalledAlike = installedBy(manual) === installedBy(existing)
    return {
      file,
      text: ownJobs(
        manual,
        `catalog-${name}`,
        isInstalledAlike ? /^(stages|workflow|default):/ : /^(stages|workflow):/,
      ),
      next: includes(file, existing),
    }
  },
  'pre-commit': ({ manual, name, usual, existing }) => {
    const text = existing.endsWith('\n') ? existing : `${existing}\n`
    return endsWithHooks.test(text) ? { file: usual, text: text + hookOf(manual, name, existing) } : undefined
  },
}

/** The pipelines of a catalog beside those of other tools; none where nothing can be written beside them. */
export const foreignWorkflows: Partial<typeof furtherWorkflows> = {
  github: furtherWorkflows.github,
  gitlab: ({ manual, name, existing }) => {
    const file = `.gitlab/catalog-${name}.yml`
    const text = ownJobs(manual, `catalog-${name}`, /^(stages|workflow):/)
    return { file, text, next: [...includes(file, existing), ...stagesFor(manual, existing), ...togetherIn(existing)] }
  },
}

/** What to add to the pipeline of a repository, so that it includes a file. */
function includes(file: string, existing: string): string[] {
  if (existing.includes(file)) return []
  return [
    /^include:/m.test(existing)
      ? `add to the list include of .gitlab-ci.yml: - local: ${file}`
      : `add to .gitlab-ci.yml: include: [{ local: ${file} }]`,
  ]
}

/** What to add to the pipeline of a repository, so that it has the stages of the manual's; GitLab has some by itself. */
function stagesFor(manual: string, existing: string): string[] {
  const [, stages = ''] = /^stages: \[(.*)\]$/m.exec(manual) ?? []
  return [
    /^stages:/m.test(existing)
      ? `add to the list stages of .gitlab-ci.yml what it lacks of: ${stages}`
      : `add to .gitlab-ci.yml: stages: [build, test, deploy, ${stages}]`,
  ]
}

/** What to add to the pipeline of a repository, so that a merge request has one pipeline, with the jobs that have no rules. */
function togetherIn(existing: string): string[] {
  if (/^workflow:|\bWorkflows\//m.test(existing)) return []
  return [
    'so that jobs without rules run in merge requests, too, include in .gitlab-ci.yml: template: Workflows/MergeRequest-Pipelines.gitlab-ci.yml',
  ]
}

/** The lines to add to a pre-commit configuration that is laid out in another way. */
export const hookRepository = (manual: string, name: string, existing: string): string =>
  `  - repo: local\n    hooks:\n${hookOf(manual, name, existing)}`

/** The hook of the manual under an id of its own, because SKIP and `pre-commit run` name hooks by their ids. */
function hookOf(manual: string, name: string, existing: string): string {
  const own = freeName(name, existing.split(/[\s,{}'"]+/))
  return manual
    .replace(/^.*^ {4}hooks:\n/ms, '')
    .replace(`id: ${hookId}`, `id: ${hookId}-${own}`)
    .replace('name: vatom validate', `name: vatom validate ${own}`)
}

const hookId = 'vatom-validate'

/** A name of which there is no hook yet: the folders `teams/alpha` and `teams-alpha` have the same. */
function freeName(name: string, taken: readonly string[], count = 1): string {
  const own = count === 1 ? name : `${name}-${count}`
  return taken.includes(`${hookId}-${own}`) ? freeName(name, taken, count + 1) : own
}

/** A configuration whose last lines are hooks of this repository, so that another one can follow. */
const endsWithHooks = /^ {2}- repo: local\n {4}hooks:\n(?: {6,}\S.*\n)+$(?![\s\S])/m

/** Jobs with names of their own, which extend one with the variables; what is not theirs is that of the file that includes them. */
function ownJobs(manual: string, name: string, notTheirs: RegExp): string {
  const parts = manual.split(/^(?=\S)/m).filter((part) => !notTheirs.test(part))
  return parts
    .map((part) => {
      const [key = '', ...lines] = part.replace(/\n*$/, '\n').split('\n')
      if (key === 'variables:') return [`.${name}:`, ...[key, ...lines].map((line) => line && `  ${line}`)].join('\n')
      // They follow the variables, and are of the same job.
      if (key === 'default:') return lines.join('\n')
      return [`${name}-${key}`, `  extends: .${name}`, ...lines].join('\n')
    })
    .join('\n')
    .replaceAll(/\bcatalog\.(?=plan\b|report\b)/g, `${name}.`)
    .replaceAll(/\b(?=(?:plan|apply)\.xml\b)/g, `${name}-`)
    .replaceAll(/(?<=resource_group: )catalog$/gm, name)
    .replaceAll(/(?<=needs: \[)(?=\w)/g, `${name}-`)
}
