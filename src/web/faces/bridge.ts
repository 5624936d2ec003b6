import type { ViewerPlatform } from '../../contract/kinds/face-selection.ts'
import { at, isObject, listAt } from '../../contract/schema/path.ts'
import { vatomTypeKey } from '../../contract/values.ts'
import { propertyOf, resourcesOf } from './subject.ts'

/** What a web face can ask its viewer for. */
export interface BridgeHost {
  readonly platform: ViewerPlatform
  readonly viewMode: string
  /** The face, as a document. */
  readonly face: unknown
  readonly vatom: unknown
  readonly children: readonly unknown[]
  /** The address under which the face finds a resource. */
  readonly resolve: (url: string) => string
  /** Answers actions and what a viewer offers of its own; undefined: not answered. It may reject. */
  readonly onMessage: ((name: string, payload: unknown) => unknown) | undefined
}

/** A message of a face: version 1 asks for an answer by `responseID`, version 2 by `request_id`. */
interface Message {
  readonly name: string
  readonly payload: unknown
  readonly version: 1 | 2
  /** What the answer names. */
  readonly answerTo: string | undefined
}

type Handler = (host: BridgeHost, payload: unknown) => unknown

/**
 * The answer to a message of a web face, as viewers give it; undefined for what is no message. What fails, or is not
 * answered, is answered with an error.
 */
export async function bridgeAnswer(data: unknown, host: BridgeHost): Promise<object | undefined> {
  const message = messageIn(data)
  if (message === undefined) return undefined
  try {
    return answer(message, await contentOf(message, host))
  } catch (error) {
    return refusal(message, error instanceof Error ? error.message : String(error))
  }
}

/** What a viewer sends to a face of which the vAtom has changed. */
export const updateMessage = (version: 1 | 2, host: BridgeHost): object =>
  version === 1
    ? { source: 'VatomicSDK', name: 'vatom.updated', data: vatomInfo(host, host.vatom) }
    : { ...envelope2, request_id: 'update', name: 'core.vatom.update', payload: { vatom: host.vatom } }

/** The version of the bridge that a message is for; undefined for what is no message. */
export const bridgeVersion = (data: unknown): 1 | 2 | undefined => messageIn(data)?.version

function messageIn(data: unknown): Message | undefined {
  const name = at(data, 'name')
  if (typeof name !== 'string') return undefined
  const version = at(data, 'version') === '2.0.0' ? 2 : 1
  const answerTo = at(data, version === 1 ? 'responseID' : 'request_id')
  const payload = at(data, 'data') ?? at(data, 'payload')
  return { name, payload, version, answerTo: typeof answerTo === 'string' ? answerTo : undefined }
}

async function contentOf({ name, payload, version }: Message, host: BridgeHost): Promise<unknown> {
  const handlers = version === 1 ? handlers1 : handlers2
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
  const content = handler ? handler(host, payload) : await host.onMessage?.(name, payload)
  if (content === undefined) throw new Error(`this viewer does not answer ${name}`)
  return content
}

const envelope2 = { source: 'BLOCKv SDK', version: '2.0.0' } as const

/** Where the face names no answer, these have a name of their own. */
const answerNames: Readonly<Record<string, string>> = {
  'vatom.init': 'vatom.init-complete',
  'vatom.children.get': 'vatom.children.get-response',
}

function answer({ name, version, answerTo }: Message, content: unknown): object {
  if (version === 2) return { ...envelope2, name, response_id: answerTo, payload: content }
  return { source: 'VatomicSDK', name: answerTo ?? answerNames[name], data: content }
}

function refusal(message: Message, text: string): object {
  if (message.version === 1) return answer(message, { errorCode: 'viewer_error', errorText: text })
  const error = { error_code: 'viewer_error', error_message: text }
  return { ...answer(message, error), ...error }
}

const handlers1: Readonly<Record<string, Handler>> = {
  'vatom.init': (host) => ({ ...vatomInfo(host, host.vatom), ...initExtras(host) }),
  'vatom.get': (host, payload) => vatomInfo(host, reachable(host, at(payload, 'id'))),
  'vatom.children.get': (host) => ({ items: host.children.map((child) => vatomInfo(host, child)) }),
  'user.profile.fetch': (host) => ownerOf(host),
  'user.avatar.fetch': (host) => ownerOf(host),
}

const handlers2: Readonly<Record<string, Handler>> = {
  'core.init': (host) => ({ vatom: host.vatom, face: faceRecord(host) }),
  'core.vatom.get': (host) => ({ vatom: host.vatom }),
  'core.vatom.children.get': (host) => ({ vatoms: host.children }),
  'core.vatom.children.observe': (host) => ({ vatoms: host.children }),
  'core.user.get': (host) => ({ user: publicUser(host) }),
  'core.user.current.get': (host) => ({ user: { ...publicUser(host), tokens: {} } }),
  'core.resource.encode': (host, payload) => ({
    urls: listAt(payload, 'urls').map((url) => (typeof url === 'string' ? host.resolve(url) : url)),
  }),
}

/** A vAtom as version 1 has it: the custom properties among the others, resources as addresses by name. */
function vatomInfo({ face, resolve }: BridgeHost, vatom: unknown) {
  const [properties, own] = [at(vatom, vatomTypeKey), at(vatom, 'private')]
  return {
    vatomInfo: {
      id: at(vatom, 'id'),
      properties: { ...(isObject(properties) && properties), ...(isObject(own) && own) },
      resources: Object.fromEntries(resourcesOf(vatom).map(({ name, url }) => [name, resolve(url)])),
      faceProperties: face,
    },
  }
}

/** Apps say more of themselves than the web does. */
const initExtras = (host: BridgeHost) =>
  host.platform === 'web' ? {} : { viewMode: host.viewMode, viewer: {}, user: ownerOf(host) }

/** A face reaches its own vAtom and what is in it. */
function reachable({ vatom, children }: BridgeHost, id: unknown): unknown {
  const found = [vatom, ...children].find((one) => at(one, 'id') === id)
  if (found === undefined) throw new Error('a face reaches only its own vAtom and what is in it')
  return found
}

/** The owner, of whom nothing but the id is known here. */
const ownerOf = ({ vatom }: BridgeHost) => ({
  id: propertyOf(vatom, 'owner') ?? '',
  firstName: '',
  lastName: '',
  avatarURL: '',
})
const publicUser = ({ vatom }: BridgeHost) => ({
  id: propertyOf(vatom, 'owner') ?? '',
  properties: { first_name: '', last_name: '', avatar_uri: '' },
})

/** A face as the service answers it. */
function faceRecord({ face }: BridgeHost) {
  const { template, id, ...properties } = isObject(face) ? face : {}
  return { id: id ?? '', template: template ?? '', properties }
}
