import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { type ViewerPlatform, viewerPlatforms } from '../../../contract/kinds/face-selection.ts'
import { viewModes } from '../../../contract/values.ts'
import { type DrawnFace, describeDrawing, faultIn } from '../../faces/draw-face.ts'
import { platformNames } from '../../names.ts'
import { Face } from './face.tsx'

interface FaceRowProps {
  readonly vatom: unknown
  readonly faces: readonly unknown[]
  /** The records of what is in it. */
  readonly contents?: readonly unknown[]
  /** Answers what web faces ask of their viewer. */
  readonly onMessage?: (name: string, payload: unknown) => unknown
  /** What is to be said of them. */
  readonly note?: ComponentChildren
}

/** A vAtom in all view modes on a platform that can be chosen. */
export function FaceRow(props: FaceRowProps) {
  const platform = useSignal<ViewerPlatform>('web')
  return (
    <section aria-label="Faces">
      <div class="tools">
        <h3>Faces</h3>
        <fieldset class="choice">
          <legend>Platform</legend>
          {viewerPlatforms.map((one) => (
            <label key={one} class="check">
              <input
                type="radio"
                name="platform"
                checked={platform.value === one}
                onChange={() => {
                  platform.value = one
                }}
              />
              {platformNames[one]}
            </label>
          ))}
        </fieldset>
      </div>
      {props.note}
      <ul class="faces">
        {viewModes.map((mode) => (
          <OneFace key={mode} mode={mode} platform={platform.value} {...props} />
        ))}
      </ul>
    </section>
  )
}

interface OneFaceProps extends FaceRowProps {
  readonly mode: string
  readonly platform: ViewerPlatform
}

function OneFace({ mode, platform, vatom, faces, contents = none, onMessage }: OneFaceProps) {
  const shows = useSignal('')
  const isFault = useSignal(false)
  const describe = (face: DrawnFace, area: HTMLElement) => {
    const { plan } = face
    shows.value = describeDrawing(plan.drawing)
    isFault.value = plan.drawing.kind === 'fault'
    void face.ready.then(() => {
      const fault = plan === face.plan ? faultIn(area) : undefined
      if (fault === undefined) return
      shows.value = fault
      isFault.value = true
    })
  }
  return (
    <li data-mode={mode}>
      <div class="frame">
        <Face
          vatom={vatom}
          faces={faces}
          viewMode={mode}
          platform={platform}
          contents={contents}
          {...(onMessage && { onMessage })}
          drawn={describe}
        />
      </div>
      <strong>{mode}</strong>
      <span class={isFault.value ? 'shows fault' : 'shows muted'}>{shows.value}</span>
    </li>
  )
}

const none: readonly unknown[] = []
