import type { ViewerPlatform } from '../contract/kinds/face-selection.ts'

/** How platforms are called on pages. */
export const platformNames: Readonly<Record<ViewerPlatform, string>> = { web: 'Web', ios: 'iOS', android: 'Android' }

/** The same within a sentence. */
export const platformWords: Readonly<Record<ViewerPlatform, string>> = { ...platformNames, web: 'web' }

/** The name of a template or variation without its publisher. */
export const withoutPublisher = (name: string): string => name.split('::').slice(1).join('::') || name
