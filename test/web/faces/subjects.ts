import type { ViewerPlatform } from '../../../src/contract/kinds/face-selection.ts'

/** A vAtom that has resources by name and address. */
export const vatomWith = (
  resources: Readonly<Record<string, string>>,
  properties: object = {},
  more: object = {},
): Record<string, unknown> => ({
  id: 'v1',
  private: {},
  ...more,
  'vAtom::vAtomType': {
    owner: 'u1',
    resources: Object.entries(resources).map(([name, value]) => ({
      name,
      resourceType: 'ResourceType::Image::PNG',
      value: { resourceValueType: 'ResourceValueType::URI', value },
    })),
    ...properties,
  },
})

/** A face as a publisher registers it. */
export const faceOf = (display_url: string, more: object = {}, constraints: object = {}) => ({
  display_url,
  package_url: display_url,
  constraints: { view_mode: 'icon', platform: 'generic', quality: 'high', ...constraints },
  resources: [],
  ...more,
})

/** A generic face on a platform, with a vAtom and what is in it. */
export const subjectOf = (
  platform: ViewerPlatform,
  face: object,
  vatom: unknown,
  children: readonly unknown[] = [],
) => ({
  platform,
  face,
  vatom,
  children,
})
