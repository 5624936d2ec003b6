import type { BridgeHost } from '../bridge.ts'
import type { Picture } from '../drawing.ts'
import { loadableUrl, type ResolveResource } from '../resource-url.ts'

/** Where a face is drawn, and what it can ask for. */
export interface Stage {
  readonly element: HTMLElement
  readonly resolve: ResolveResource | undefined
  /** What a web face is answered; it changes with the vAtom. */
  readonly host: () => BridgeHost
}

/** A drawing in an element. */
export interface Drawn {
  /** Fulfilled when everything is loaded; rejected with the reason if something cannot be. */
  readonly ready: Promise<unknown>
  /** Shows a changed vAtom without drawing anew, for drawings that can. */
  readonly refresh?: () => void
  readonly destroy: () => void
}

/** An element with styles; they are set one by one, which a policy against inline styles allows. */
export function styled<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  style: Partial<CSSStyleDeclaration>,
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  Object.assign(element.style, style)
  return element
}

/** Covers the whole stage. */
export const whole = { position: 'absolute', inset: '0', width: '100%', height: '100%' } as const

/** The address to load a resource from; throws for one that is not loaded. */
export function addressOf({ name, url }: { readonly name: string; readonly url: string }, stage: Stage): string {
  const address = loadableUrl(url, stage.resolve)
  if (address === undefined) throw new Error(`${name} has no address that can be loaded: ${url}`)
  return address
}

/** An image over the whole stage; resolves with it when it is loaded. */
export async function addPicture(picture: Picture, stage: Stage): Promise<HTMLImageElement> {
  const image = styled('img', { ...whole, objectFit: picture.fit, objectPosition: 'center' })
  image.alt = picture.name
  image.draggable = false
  image.referrerPolicy = 'no-referrer'
  stage.element.append(image)
  image.src = addressOf(picture, stage)
  await image.decode().catch(() => {
    throw new Error(`${picture.name} cannot be loaded from ${picture.url}`)
  })
  return image
}
