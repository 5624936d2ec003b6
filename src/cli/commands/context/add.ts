import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usage } from '../../failure/failure.ts'
import { shellWord } from '../../io/text.ts'
import { checkAppId, checkBaseUrl, checkContextName, isInsecure } from '../../service/target.ts'

export const addCommand = (context: Context): Command =>
  new Command('add')
    .summary('save a service under a name')
    .description('Save the address of a service, without signing in to it.')
    .argument('<name>', 'name for the context')
    .addHelpText('after', '\nExample:\n  vatom context add staging --base-url https://api.staging.example --app-id ID')
    .action((name: string) => add(name, context))

async function add(name: string, { globals, host, config, output }: Context): Promise<void> {
  const { baseUrl, appId } = globals
  if (baseUrl === undefined || appId === undefined)
    throw usage('A context needs an address and an application id', 'give --base-url and --app-id')
  checkContextName(name)
  const insecure = isInsecure(globals, host.env)
  const base_url = checkBaseUrl(baseUrl, '--base-url', insecure)
  const app_id = checkAppId(appId, '--app-id')
  await config.update((known) => {
    if (Object.hasOwn(known.contexts, name))
      throw usage(`A context named ${name} already exists`, `remove it first: vatom context remove ${shellWord(name)}`)
    return { ...known, contexts: { ...known.contexts, [name]: { base_url, app_id, ...(insecure && { insecure }) } } }
  }, host.signal)
  output.report({ name, base_url, app_id }, () => [`Added ${name}: ${base_url}`])
}
