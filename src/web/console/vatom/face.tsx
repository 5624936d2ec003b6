import { useEffect, useRef } from 'preact/hooks'
import type { ViewerPlatform } from '../../../contract/kinds/face-selection.ts'
import { type DrawnFace, drawFace } from '../../faces/draw-face.ts'
import { placeholderFor } from './placeholder.ts'

interface FaceProps {
  readonly vatom: unknown
  readonly faces: readonly unknown[]
  readonly viewMode: string
  readonly platform?: ViewerPlatform
  /** The records of what is in it. */
  readonly contents?: readonly unknown[]
  /** Answers what a web face asks of its viewer. */
  readonly onMessage?: (name: string, payload: unknown) => unknown
  /** Receives what is drawn, whenever that changes. */
  readonly drawn?: (face: DrawnFace, area: HTMLElement) => void
}

const nothing: readonly unknown[] = []

/** A face of a vAtom, as a viewer draws it. */
export function Face({ vatom, faces, viewMode, platform = 'web', contents = nothing, onMessage, drawn }: FaceProps) {
  const area = useRef<HTMLDivElement>(null)
  const made = useRef<DrawnFace | undefined>(undefined)
  const latest = useRef([vatom])
  latest.current = [vatom, ...contents]
  const answers = useRef(onMessage)
  answers.current = onMessage
  // A face with the same documents is drawn on: an answer has new objects for the same faces.
  const design = JSON.stringify(faces)
  useEffect(() => {
    if (!area.current) return
    const resolveResource = (url: string) => latest.current.map((one) => placeholderFor(one, url)).find(Boolean)
    const answer = (name: string, payload: unknown) => answers.current?.(name, payload)
    const request = { platform, viewMode, vatom, faces, children: contents, resolveResource, onMessage: answer }
    const face = drawFace(area.current, request)
    made.current = face
    drawn?.(face, area.current)
    return () => face.destroy()
  }, [design, viewMode, platform])
  useEffect(() => {
    if (!made.current || !area.current) return
    made.current.update(vatom, contents)
    drawn?.(made.current, area.current)
  }, [vatom, contents])
  return <div class="area" ref={area} />
}
