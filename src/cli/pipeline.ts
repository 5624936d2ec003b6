import type { Host } from './host.ts'

/** What pipelines set in their jobs: nearly all the first, the others Azure Pipelines, Jenkins, TeamCity, AWS CodeBuild. */
const variables = ['CI', 'TF_BUILD', 'JENKINS_URL', 'TEAMCITY_VERSION', 'CODEBUILD_BUILD_ID'] as const

/** The variable by which the environment is that of a pipeline; undefined elsewhere. */
export const pipelineVariable = (env: Host['env']): string | undefined => variables.find((name) => env[name])
