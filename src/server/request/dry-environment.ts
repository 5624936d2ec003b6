import { ApiError } from '../../contract/api/errors.ts'
import { warning } from '../../contract/api/warnings.ts'
import { tooManyActions } from '../actions/background-actions.ts'
import type { Assets } from '../assets/asset-folder.ts'
import { Logins } from '../auth/attempts.ts'
import { withoutChanges } from '../auth/process-sessions.ts'
import type { Environment } from '../environment.ts'
import { Turns } from '../store/turns.ts'
import { CallLimit } from './call-limit.ts'

/** An environment in which no file is changed, no handler called, and no session of the process ended. */
export function withoutEffects(environment: Environment): Environment {
  const { assets, actions, passwords, processSessions } = environment
  return {
    ...environment,
    assets: untouched(assets),
    passwords: { ...passwords, hash: async () => 'of a dry run' },
    logins: new Logins(),
    callLimit: new CallLimit(0, environment.clock),
    processSessions: withoutChanges(processSessions),
    actions: {
      ...actions,
      later: { signal: actions.later.signal, run: async () => {}, idle: async () => {}, end: async () => {} },
      handled: new Turns({ atOnce: 1, waiting: 0, refusal: tooManyActions }),
      call: async (_url, { scope }, { name }) => {
        const message = `the handler of ${name} is not called in a dry run: its answer and its changes are not predicted`
        scope.warn(warning('handler-not-called', '', message))
        return {}
      },
    },
  }
}

/** The folder of assets, read only. Uploads are refused before they reach it. */
function untouched(assets: Assets): Assets {
  const refuse = () => {
    throw new ApiError('dryRunRefused')
  }
  return {
    path: assets.path,
    has: (id) => assets.has(id),
    isWhole: (asset) => assets.isWhole(asset),
    isReceiving: (name) => assets.isReceiving(name),
    during: (work) => assets.during(work),
    tidy: async () => undefined,
    removeUnrecorded: async () => undefined,
    untidy: () => undefined,
    remove: async () => undefined,
    close: async () => undefined,
    begin: refuse,
    store: refuse,
    discard: refuse,
    withdraw: refuse,
  }
}
