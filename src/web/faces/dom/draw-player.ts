import type { Drawing } from '../drawing.ts'
import { addressOf, type Drawn, type Stage, styled, whole } from './stage.ts'

/** Characters of a text that are shown. */
const textLength = 65_536

/** Sound and video with controls, and text as text: nothing of it is ever HTML. */
export function drawPlayer(drawing: Extract<Drawing, { kind: 'player' }>, stage: Stage): Drawn {
  return drawing.media === 'text' ? drawText(drawing, stage) : drawMedia(drawing, drawing.media, stage)
}

type Named = { readonly name: string; readonly url: string }

function drawText(resource: Named, stage: Stage): Drawn {
  const area = styled('pre', { ...whole, margin: '0', overflow: 'auto', whiteSpace: 'pre-wrap' })
  area.tabIndex = 0
  stage.element.append(area)
  const stop = new AbortController()
  const load = async () => {
    const answer = await fetch(addressOf(resource, stage), { signal: stop.signal })
    if (!answer.ok) throw new Error(`${resource.name} is answered with status ${answer.status}`)
    area.textContent = (await answer.text()).slice(0, textLength)
  }
  return { ready: load(), destroy: () => stop.abort() }
}

function drawMedia(resource: Named, tag: 'audio' | 'video', stage: Stage): Drawn {
  const player = styled(tag, tag === 'video' ? { ...whole } : { position: 'absolute', bottom: '0', width: '100%' })
  player.controls = true
  player.preload = 'metadata'
  player.setAttribute('aria-label', resource.name)
  const ready = new Promise((resolve, reject) => {
    player.addEventListener('loadedmetadata', resolve, { once: true })
    const fail = () => reject(new Error(`${resource.name} cannot be played from ${resource.url}`))
    player.addEventListener('error', fail, { once: true })
  })
  player.src = addressOf(resource, stage)
  stage.element.append(player)
  const destroy = () => {
    player.removeAttribute('src')
    player.load()
  }
  return { ready, destroy }
}
