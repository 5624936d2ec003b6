import type { Context } from '../context.ts'
import { shellWord, styled } from '../io/text.ts'
import { pipelineVariable } from '../pipeline.ts'
import { hasEnvironmentTokens, normalized, serviceVariables, usedIfNamed, withoutVariables } from './target.ts'

type Noting = Pick<Context, 'host' | 'config' | 'output'>

/** Says how the next commands use a context that was made current, unless they use it anyway. */
export async function noteNaming(name: string, context: Noting): Promise<void> {
  const { host, output } = context
  const variable = pipelineVariable(host.env)
  if ((await noteOverridden(name, context)) || variable === undefined || host.env.VATOM_CONTEXT === name) return
  const [word, how] = [shellWord(name), usedIfNamed('the current context', variable)]
  output.note(styled`${how}: VATOM_CONTEXT=${word}, or --context ${word}`)
}

/** Says that a variable chooses the service in place of the current context. Answers whether one does. */
export async function noteOverridden(current: string, { host: { env }, config, output }: Noting): Promise<boolean> {
  const variable = await overriding(current, env, config)
  if (variable === undefined) return false
  const others = withoutVariables(serviceVariables(env))
  output.note(
    styled`${variable} is set, and is used in place of the current context; for ${current}: --context ${shellWord(current)}, or ${others}`,
  )
  return true
}

/** The variable that chooses another service than a context, or another session on it. */
async function overriding(
  name: string,
  env: Context['host']['env'],
  config: Context['config'],
): Promise<string | undefined> {
  const { VATOM_CONTEXT: named, VATOM_BASE_URL: url, VATOM_APP_ID: appId } = env
  if (named) return named === name ? undefined : `VATOM_CONTEXT=${shellWord(named)}`
  if (!url) return undefined
  const { [name]: saved } = (await config.read()).contexts
  const isSame = saved?.base_url === normalized(url) && saved.app_id === appId && !hasEnvironmentTokens(env)
  return isSame ? undefined : 'VATOM_BASE_URL'
}
