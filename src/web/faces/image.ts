import { at } from '../../contract/schema/path.ts'
import type { Picture, Plan } from './drawing.ts'
import {
  activatedImage,
  androidFit,
  configOf,
  failed,
  firstListed,
  lacks,
  pictureOf,
  planned,
  resourceNamed,
  type Subject,
  stuck,
  textIn,
} from './subject.ts'

/** `native://image`: one image, which fits into the area or fills it. */
export function planImage(subject: Subject): Plan {
  const name = textIn(configOf(subject), 'image') ?? firstListed(subject) ?? activatedImage
  const resource = resourceNamed(subject.vatom, name)
  if (resource) return planned({ kind: 'picture', picture: pictureOf(resource, fitOf(subject)) }, cardNote(subject))
  return subject.platform === 'ios' ? stuck(lacks(name)) : failed(subject, lacks(name))
}

/** Android reads `scale` in any case; web viewers fill a card for which nothing is set. */
function fitOf(subject: Subject): Picture['fit'] {
  if (subject.platform === 'android') return androidFit(subject)
  const scale = textIn(configOf(subject), 'scale')
  if (scale === 'fill' || (scale !== 'fit' && fillsByDefault(subject))) return 'cover'
  return 'contain'
}

const fillsByDefault = ({ platform, face }: Subject): boolean =>
  platform === 'web' && at(face, 'constraints', 'view_mode') === 'card'

const cardNote = (subject: Subject): string | false =>
  fillsByDefault(subject) &&
  textIn(configOf(subject), 'scale') === undefined &&
  'web viewers fill a card if config has no scale; iOS and Android fit the image into it'
