import { bridgeAnswer, bridgeVersion, updateMessage } from '../bridge.ts'
import { addressOf, type Drawn, type Stage, styled, whole } from './stage.ts'

/**
 * A web face in a frame of an origin of its own: it runs scripts, and reaches neither this page nor what it stores, nor
 * navigates it. It speaks to the page through the bridge alone.
 */
export function drawFrame(url: string, stage: Stage): Drawn {
  const frame = styled('iframe', { ...whole, border: 'none' })
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.setAttribute('allow', '')
  frame.referrerPolicy = 'no-referrer'
  frame.title = 'web face'
  frame.src = addressOf({ name: 'the face', url }, stage)

  let version: 1 | 2 | undefined
  const send = (message: object | undefined) => message && frame.contentWindow?.postMessage(message, '*')
  const receive = ({ source, data }: MessageEvent<unknown>) => {
    if (frame.contentWindow === null || source !== frame.contentWindow) return
    version = bridgeVersion(data) ?? version
    void bridgeAnswer(data, stage.host()).then(send)
  }
  window.addEventListener('message', receive)
  const ready = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  stage.element.append(frame)
  return {
    ready,
    refresh: () => version && send(updateMessage(version, stage.host())),
    destroy: () => window.removeEventListener('message', receive),
  }
}
