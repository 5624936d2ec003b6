import { fieldSteps } from '../../contract/kinds/native-face.ts'
import { at } from '../../contract/schema/path.ts'
import type { AnimationRule } from './drawing.ts'

/** What happens in a scene; `animation` is the one that runs, starts or ends. */
export type SceneEvent =
  | { readonly on: 'start' }
  | { readonly on: 'click' | 'animation-start' | 'animation-complete'; readonly animation: string | undefined }
  | { readonly on: 'state'; readonly vatom: unknown }

/** The rules that an event sets off, in order. */
export const rulesFor = (rules: readonly AnimationRule[], event: SceneEvent): readonly AnimationRule[] =>
  rules.filter((rule) => rule.on === event.on && fits(rule, event))

function fits(rule: AnimationRule, event: SceneEvent): boolean {
  switch (event.on) {
    case 'start':
      return true
    case 'click':
      return rule.target === undefined || rule.target === event.animation
    case 'animation-start':
      return rule.target === event.animation && rule.play !== event.animation
    case 'animation-complete':
      return rule.target === event.animation
    case 'state':
      return rule.target !== undefined && sameText(at(event.vatom, ...fieldSteps(rule.target)), rule.value)
  }
}

/** A number is the same as its text here. */
const sameText = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one !== 'object' && typeof other !== 'object' && String(one) === String(other))
