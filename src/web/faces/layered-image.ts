import type { Plan } from './drawing.ts'
import {
  activatedImage,
  androidFit,
  configOf,
  failed,
  firstListed,
  firstNamed,
  lacks,
  pictureOf,
  planned,
  type Subject,
  textIn,
} from './subject.ts'

/** The names under which a viewer looks for an image: in the vAtom itself, and in each of its children. */
interface Names {
  readonly base: readonly string[]
  readonly child: readonly string[]
}

/** As many children as Android asks for. */
const androidPage = 100

/** `native://layered-image`: the image of the vAtom, and over it one of each child. */
export function planLayeredImage(subject: Subject): Plan {
  const names = namesOf(subject)
  const base = firstNamed(subject.vatom, names.base)
  if (!base) return failed(subject, lacks(...names.base))
  const fit = androidFit(subject)
  const children = subject.platform === 'android' ? subject.children.slice(0, androidPage) : subject.children
  const layers = children.flatMap((child) => firstNamed(child, names.child) ?? [])
  const pictures = [base, ...layers].map((resource) => pictureOf(resource, fit))
  return planned({ kind: 'layers', pictures }, without(children.length - layers.length, names.child))
}

function namesOf(subject: Subject): Names {
  const set = textIn(configOf(subject), 'layerImage')
  if (subject.platform === 'web') {
    const names = [...new Set([...(set === undefined ? [] : [set]), 'LayeredImage', activatedImage])]
    return { base: names, child: names }
  }
  if (subject.platform === 'ios') {
    const names = [set ?? firstListed(subject) ?? activatedImage]
    return { base: names, child: names }
  }
  const hasConfig = Object.keys(configOf(subject) ?? {}).length > 0
  const name = set ?? (hasConfig ? 'LayeredImage' : activatedImage)
  return { base: [...new Set([name, activatedImage])], child: [name] }
}

const without = (children: number, names: readonly string[]): string | false =>
  children > 0 && `${children} of the children ${children === 1 ? 'has' : 'have'} no resource ${names.join(' or ')}`
