import { at, isObject, listAt } from '../../contract/schema/path.ts'
import type { AnimationRule, Plan } from './drawing.ts'
import {
  activatedImage,
  blank,
  configOf,
  failed,
  firstListed,
  firstNamed,
  lacks,
  pictureOf,
  planned,
  privateOf,
  resourceNamed,
  type Subject,
  textIn,
} from './subject.ts'

/** `native://generic-3d`: a 3D model. It is a package that an app includes or not, the same on all platforms. */
export function planGeneric3d(subject: Subject): Plan {
  const settings = configOf(subject) ?? privateOf(subject)
  const names = [textIn(settings, 'scene'), firstListed(subject), 'Scene.glb', 'Scene'].filter(
    (name) => name !== undefined,
  )
  const scene = firstNamed(subject.vatom, names)
  if (!scene) return failed(subject, lacks(...new Set(names)))
  const image = resourceNamed(subject.vatom, textIn(settings, 'placeholder_image') ?? activatedImage)
  const placeholder = image && pictureOf(image)
  const notes = ['only apps that include native://generic-3d show this face', ...notShown(settings)]
  if (/\.v3d\b/i.test(scene.url)) {
    const why = `${scene.name} is a .v3d scene, which only apps can show`
    if (!placeholder) return blank(why)
    return planned({ kind: 'picture', picture: placeholder }, `${why}: this is the placeholder`, ...notes)
  }
  return planned(
    {
      kind: 'scene',
      scene: {
        name: scene.name,
        url: scene.url,
        placeholder,
        rules: rulesOf(settings),
        autoRotate: at(settings, 'autorotate') === true,
        zoom: zoomOf(settings),
      },
    },
    ...notes,
  )
}

function zoomOf(settings: unknown): number {
  const zoom = at(settings, 'zoom')
  return typeof zoom === 'number' && zoom > 0 ? zoom : 1
}

const shownEvents = ['start', 'click', 'state', 'animation-start', 'animation-complete'] as const
const isShownEvent = (on: unknown): on is AnimationRule['on'] => shownEvents.some((event) => event === on)

/** What a rule can hold besides an animation; none of it is carried out. */
const otherEffects = ['sound', 'action', 'condition', 'custom', 'alert', 'remove'] as const

const rulesOf = (settings: unknown): AnimationRule[] =>
  listAt(settings, 'animation_rules').flatMap((rule) => {
    const [on, play, delay] = [at(rule, 'on'), at(rule, 'play'), at(rule, 'delay')]
    if (!isShownEvent(on) || typeof play !== 'string' || at(rule, 'condition') !== undefined) return []
    const target = textIn(rule, 'target')
    return [
      {
        on,
        play,
        ...(target !== undefined && { target }),
        value: at(rule, 'value'),
        delay: typeof delay === 'number' ? delay : 0,
      },
    ]
  })

/** What the settings ask for and the preview does not show, each in a sentence. */
function notShown(settings: unknown): string[] {
  const rules = listAt(settings, 'animation_rules').flatMap((rule, index) => {
    const place = `animation_rules[${index}]`
    if (!isObject(rule)) return []
    if (!isShownEvent(rule.on)) return [`${place} is not shown: nothing here causes ${String(rule.on)}`]
    const effects = otherEffects.filter((effect) => rule[effect] !== undefined)
    return effects.length > 0 ? [`${place}: ${effects.join(', ')} not shown`] : []
  })
  return at(settings, 'transform') === undefined ? rules : ['transform is not shown', ...rules]
}
