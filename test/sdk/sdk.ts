import { createRequire } from 'node:module'
import { onTestFinished } from 'vitest'
import { actAsBrowser } from './browser.ts'

/** A vAtom as the SDK has it. */
export interface SdkVatom {
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read properties of every shape
  readonly properties: any
  readonly private: Readonly<Record<string, unknown>>
  readonly sync: number
  readonly faces: readonly { readonly properties: { readonly display_url: string } }[]
  readonly actions: readonly { readonly name?: string; readonly action?: string }[]
}

interface Emitter {
  /** Resolves with what comes with the next event of a name. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape
  when(name: string): Promise<any>
}

export interface SdkRegion extends Emitter {
  get(): Promise<SdkVatom[]>
  get(isStable: false): SdkVatom[]
  close(): void
}

interface SdkUser {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly isPasswordSet: boolean
  readonly meta: { readonly dataType: string }
}

interface Place {
  readonly lat: number
  readonly lon: number
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
type Answer = Promise<any>

/** The part of the SDK that is tested, as its sources have it. */
export interface Sdk {
  readonly store: { readonly userID: string; token: string; readonly refreshToken: string }
  readonly client: { request(method: string, path: string, body: unknown, auth: boolean): Answer }
  readonly dataPool: { region(name: string, descriptor?: unknown): SdkRegion }
  readonly WebSockets: Emitter & {
    readonly isOpen: boolean
    connect(): Promise<unknown>
    close(): void
  }
  readonly UserManager: {
    readonly isLoggedIn: boolean
    register(registration: object): Promise<SdkUser>
    login(token: string, type: string, password: string): Promise<SdkUser>
    loginGuest(id: string): Promise<SdkUser>
    logout(): Promise<unknown>
    getCurrentUser(): Promise<SdkUser>
    updateUser(changes: object): Answer
    getCurrentUserTokens(): Answer
    addUserToken(token: object): Answer
    setDefaultToken(id: string): Answer
    deleteUserToken(id: string): Answer
    sendTokenVerification(token: string, type: string): Answer
    resetPassword(token: string, type: string): Answer
    getPublicUserProfile(id: string): Answer
    getGuestToken(): Promise<string>
    uploadAvatar(form: FormData): Answer
    encodeAssetProvider(address: string): string
  }
  readonly Vatoms: {
    transferTo(user: string | object, action: string, id: string): Answer
    performAction(id: string, action: string, input: object): Answer
    getUserInventory(): Promise<SdkVatom[]>
    getUserVatoms(ids: readonly string[]): Promise<SdkVatom[]>
    getVatomChildren(id: string): Promise<SdkVatom[]>
    geoDiscover(bottomLeft: Place, topRight: Place, filter?: string): Promise<SdkVatom[]>
    geoDiscoverGroups(bottomLeft: Place, topRight: Place, precision?: number): Answer
    setParentID(id: string, parent: string): Answer
    trashVatom(id: string): Answer
  }
  readonly Activity: {
    myThreads(): Answer
    myThreadMessages(name: string): Answer
    sendMessage(id: string, message: string): Answer
  }
}

interface SdkDiscover {
  setScope(key: string, value: string): void
  appendFilter(field: string, value: unknown): void
  execute(): Promise<SdkVatom[]>
  count(): Promise<number>
}

type SdkModule = (new (options: object) => Sdk) & { readonly Discover: new (sdk: Sdk) => SdkDiscover }

const require = createRequire(import.meta.url)
actAsBrowser(require)
/** The published package, of this folder's own packages. */
export const Blockv = require('@blockv/sdk') as SdkModule

/** The SDK of an app on a service; each prefix keeps a session of its own. */
export function app({ base_url, ws_url, app_id }: Ready, prefix: string): Sdk {
  const sdk = new Blockv({ appID: app_id, server: base_url, websocketAddress: ws_url.replace(/\/ws$/, ''), prefix })
  onTestFinished(() => sdk.WebSockets.close())
  return sdk
}

/** The line with which a service says that it is ready. */
export interface Ready {
  readonly base_url: string
  readonly ws_url: string
  readonly app_id: string
  readonly publisher: { readonly fqdn: string; readonly email: string; readonly password: string }
}

/** Resolves when a region is as wanted; it is looked at whenever it says that it changed. */
export async function until(region: SdkRegion, isWanted: (vatoms: readonly SdkVatom[]) => boolean): Promise<void> {
  while (!isWanted(region.get(false))) await region.when('updated')
}
