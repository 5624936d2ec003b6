import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { codeBlocks, pageText } from '../../support/pages.ts'

describe('the pipeline for GitLab', () => {
  const branch = { CI_COMMIT_BRANCH: 'main', CI_DEFAULT_BRANCH: 'main', VATOM_REFRESH_TOKEN: 'r' }
  const merging = { CI_MERGE_REQUEST_ID: '7', CI_DEFAULT_BRANCH: 'main', VATOM_REFRESH_TOKEN: 'r' }
  const pipeline = parse(
    codeBlocks(pageText('src/docs/pipelines.md')).find(({ mark }) => mark === 'file .gitlab-ci.yml')?.code ?? '',
  )
  const all = ['validate', 'plan', 'apply']

  /** The jobs that a pipeline has where these variables are set. */
  function jobsWith(variables: Readonly<Record<string, string>>): string[] {
    const value = (word: string) => (word.startsWith('$') ? (variables[word.slice(1)] ?? '') : word)
    const holds = (condition: string) => {
      const [left = '', operator, right = ''] = condition.split(' ')
      if (operator === '==') return value(left) === value(right)
      if (operator === '=~') return new RegExp(right.slice(1, -1)).test(value(left))
      return operator === undefined && value(left) !== ''
    }
    const runs = ({ rules }: { rules: { if: string }[] }) => rules.some((rule) => rule.if.split(' && ').every(holds))
    return runs(pipeline.workflow) ? all.filter((job) => runs(pipeline[job])) : []
  }

  test.each(['push', 'web', 'parent_pipeline'])('applies on the default branch after: %s', (source) => {
    expect(jobsWith({ ...branch, CI_PIPELINE_SOURCE: source })).toEqual(all)
  })

  test.each(['schedule', 'api', 'trigger', 'pipeline'])('validates alone on the default branch after: %s', (source) => {
    expect(jobsWith({ ...branch, CI_PIPELINE_SOURCE: source })).toEqual(['validate'])
  })

  test.each(['merge_request_event', 'parent_pipeline'])('validates and plans in merge requests: %s', (source) => {
    expect(jobsWith({ ...merging, CI_PIPELINE_SOURCE: source })).toEqual(['validate', 'plan'])
    const { VATOM_REFRESH_TOKEN: _, ...ofFork } = merging
    expect(jobsWith({ ...ofFork, CI_PIPELINE_SOURCE: source })).toEqual(['validate'])
  })

  test('does nothing on other branches', () => {
    expect(jobsWith({ ...branch, CI_COMMIT_BRANCH: 'other', CI_PIPELINE_SOURCE: 'push' })).toEqual([])
  })
})
