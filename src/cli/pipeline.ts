import type { Host } from './host.ts'

/** What pipelines set in their jobs beside `CI`, which nearly all set, by its name. */
export const pipelines = {
  GITHUB_ACTIONS: 'GitHub',
  GITLAB_CI: 'GitLab',
  BITBUCKET_BUILD_NUMBER: 'Bitbucket',
  BUILDKITE: 'Buildkite',
  CIRCLECI: 'CircleCI',
  TF_BUILD: 'Azure Pipelines',
  JENKINS_URL: 'Jenkins',
  TEAMCITY_VERSION: 'TeamCity',
  CODEBUILD_BUILD_ID: 'AWS CodeBuild',
  bamboo_buildNumber: 'Bamboo',
  GO_PIPELINE_NAME: 'GoCD',
} as const

const variables = ['CI', ...Object.keys(pipelines)]

/** The variable by which the environment is that of a pipeline; undefined elsewhere. */
export const pipelineVariable = (env: Host['env']): string | undefined => variables.find((name) => env[name])
