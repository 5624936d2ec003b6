import { at } from '../../contract/schema/path.ts'
import type { Fill, Plan, Side } from './drawing.ts'
import {
  activatedImage,
  configOf,
  failed,
  lacks,
  pictureOf,
  planned,
  privateOf,
  propertyOf,
  resourceNamed,
  type Subject,
  stuck,
  textIn,
} from './subject.ts'

type Platform = Subject['platform']

/** What a viewer reads in `config` of the face, or in `private` of the vAtom. */
interface Settings {
  /** Names of resources. */
  readonly empty: string
  readonly full: string
  readonly direction: string
  /** Pixels of the image. */
  readonly start: number
  readonly end: number
  readonly showsPercentage: boolean
}

const emptyImage = 'BaseImage'

/** `native://progress-image-overlay`: the full image over the empty one, as far as `cloning_score` goes. */
export function planProgressOverlay(subject: Subject): Plan {
  const settings = readers[subject.platform](subject)
  const base = resourceNamed(subject.vatom, settings.empty)
  const full = resourceNamed(subject.vatom, settings.full)
  if (!base || !full) {
    const why = lacks(base ? settings.full : settings.empty)
    return subject.platform === 'ios' ? stuck(why) : failed(subject, why)
  }
  const fraction = fractionOf(subject)
  return planned(
    {
      kind: 'overlay',
      base: pictureOf(base),
      full: pictureOf(full),
      fill: fillOf(subject.platform, settings, fraction),
      percentage: settings.showsPercentage ? `${Math.trunc(fraction * 100)}%` : undefined,
    },
    ...notesOf(subject, settings),
  )
}

/** `cloning_score` from 0 to 1; web viewers read one that is written as a text, too. */
function fractionOf({ platform, vatom }: Subject): number {
  const score = propertyOf(vatom, 'cloning_score')
  const number = platform === 'web' ? Number.parseFloat(String(score)) : score
  return typeof number === 'number' && number > 0 ? Math.min(1, number) : 0
}

const readers: Readonly<Record<Platform, (subject: Subject) => Settings>> = {
  // Each setting of its own falls back to private, a resource that does not exist to the usual name.
  web: (subject) => {
    const [config, own] = [configOf(subject), privateOf(subject)]
    const image = (key: string, usual: string) => {
      const name = textIn(config, key)
      return name !== undefined && resourceNamed(subject.vatom, name) ? name : usual
    }
    const pixels = (key: string) => asWritten(at(config, key)) || asWritten(at(own, key))
    return {
      empty: image('empty_image', emptyImage),
      full: image('full_image', activatedImage),
      direction: textIn(config, 'direction') ?? textIn(own, 'direction') ?? '',
      start: pixels('padding_start'),
      end: pixels('padding_end'),
      showsPercentage: false,
    }
  },
  ios: (subject) => {
    const settings = configOf(subject) ?? privateOf(subject)
    const shows = at(settings, 'show_percentage')
    return { ...mobileSettings(settings, asNumber), showsPercentage: typeof shows === 'boolean' ? shows : true }
  },
  android: (subject) => {
    const settings = isIgnoredOnAndroid(subject) ? privateOf(subject) : configOf(subject)
    return {
      ...mobileSettings(settings, asWritten),
      showsPercentage: /^true$/i.test(String(at(settings, 'show_percentage'))),
    }
  },
}

const mobileSettings = (settings: unknown, pixels: (value: unknown) => number) => ({
  empty: textIn(settings, 'empty_image') ?? emptyImage,
  full: textIn(settings, 'full_image') ?? activatedImage,
  direction: textIn(settings, 'direction') ?? 'up',
  start: pixels(at(settings, 'padding_start')),
  end: pixels(at(settings, 'padding_end')),
})
const asNumber = (value: unknown): number => (typeof value === 'number' ? value : 0)
const asWritten = (value: unknown): number => Number.parseFloat(String(value)) || 0

/** Android reads `private` instead of a `config` without a direction. */
const isIgnoredOnAndroid = (subject: Subject): boolean => at(configOf(subject), 'direction') === undefined

/** Left and right say where the image grows to on iOS and Android, and where it starts on web. */
const mobileSides: Readonly<Record<string, Side>> = { up: 'bottom', down: 'top', left: 'right', right: 'left' }
const sides: Readonly<Record<Platform, Readonly<Record<string, Side>>>> = {
  web: { up: 'bottom', down: 'top', left: 'left', right: 'right' },
  ios: mobileSides,
  android: mobileSides,
}
/** For a direction that a viewer does not know; Android shows the whole image. */
const otherSide: Readonly<Record<Platform, Side | undefined>> = { web: 'right', ios: 'bottom', android: undefined }

function fillOf(platform: Platform, { direction, start, end }: Settings, fraction: number): Fill | undefined {
  const word = direction.toLowerCase()
  const from = Object.hasOwn(sides[platform], word) ? sides[platform][word] : otherSide[platform]
  if (from === undefined) return undefined
  if (platform === 'web') return { from, fraction, start, end, within: 'element' }
  // Android measures the paddings from the other end where it fills from the top or the right.
  const isSwapped = platform === 'android' && (from === 'top' || from === 'right')
  return { from, fraction, start: isSwapped ? end : start, end: isSwapped ? start : end, within: 'picture' }
}

function notesOf(subject: Subject, { direction }: Settings): (string | false)[] {
  const config = configOf(subject) ?? {}
  const word = direction.toLowerCase()
  return [
    (word === 'left' || word === 'right') &&
      `direction ${word}: the image grows from the ${word} on web, and to the ${word} on iOS and Android`,
    subject.platform === 'web' && config.show_percentage === true && 'web viewers show no percentage',
    subject.platform === 'android' &&
      Object.keys(config).length > 0 &&
      isIgnoredOnAndroid(subject) &&
      'Android reads config only if it has a direction',
  ]
}
