import * as z from 'zod/v4'
import { limits } from '../limits.ts'
import { lazy, named, type ValueOf } from '../schema/lazy-schema.ts'
import { longitude, text } from '../schema/scalars.ts'
import { geoFilters } from '../values.ts'
import type { Rows } from './endpoint.ts'
import { VatomsPage } from './vatom.ts'

const corner = lazy(() =>
  z.object({
    lat: z.number().min(-90).max(90).describe('Degrees north.'),
    lon: longitude().describe('Degrees east; 190 is -170.'),
  }),
)

const upright = <S extends z.ZodType<{ bottom_left: { lat: number }; top_right: { lat: number } }>>(box: S): S =>
  box.refine(({ bottom_left, top_right }) => bottom_left.lat <= top_right.lat, {
    error: 'bottom_left must not be north of top_right',
    path: ['bottom_left', 'lat'],
  })

const area = lazy(() => ({
  bottom_left: corner().describe('South-west corner.'),
  top_right: corner().describe(
    'North-east corner; if it is west of the other corner, the box crosses the antimeridian.',
  ),
  filter: z.enum(geoFilters).nullish().describe('What to look for: vatoms when omitted.'),
  limit: z.int().min(0).nullish().describe(`How many at most; omitted, 0 and above ${limits.geo} mean ${limits.geo}.`),
  publisher_fqdn: text(limits.name).nullish().describe('Publisher of their templates; empty: any publisher.'),
}))

/** Body of Geo Discover vAtoms; unknown keys are ignored. */
export const GeoDiscover = named(
  'GeoDiscover',
  () => upright(z.object(area())),
  'A search for vAtoms that are dropped in a box of the map.',
)
export type GeoDiscover = ValueOf<typeof GeoDiscover>

/** Body of Geo Discover Groups; unknown keys are ignored. */
export const GeoDiscoverGroups = named(
  'GeoDiscoverGroups',
  () =>
    upright(
      z.object({
        ...area(),
        precision: z
          .int()
          .min(1)
          .max(limits.geoPrecisionMax)
          .nullish()
          .describe(`Length of the geohash that the vAtoms of a group share; ${limits.geoPrecision} when omitted.`),
      }),
    ),
  'A count of the vAtoms that are dropped in a box of the map, by place.',
)
export type GeoDiscoverGroups = ValueOf<typeof GeoDiscoverGroups>

/** Payload of Geo Discover Groups. */
export const GeoGroups = named('GeoGroups', () =>
  z.looseObject({
    groups: z.array(
      z.looseObject({
        key: z.string().describe('The geohash of the group.'),
        lon: z.number().describe('The centre of the vAtoms in the group.'),
        lat: z.number(),
        count: z.int(),
      }),
    ),
  }),
)

/** Searches of the map. */
export const geoRows = {
  geoDiscover: {
    method: 'POST',
    path: '/v1/vatom/geodiscover',
    auth: 'user',
    reads: true,
    summary: 'Find dropped vAtoms on the map',
    body: GeoDiscover,
    unknownKeys: 'ignored',
    payload: VatomsPage,
    errors: ['invalid'],
    details: [
      'vAtoms of a draft are visible on the map only to their owner, until the draft is published',
      'an avatar is a vAtom of the category avatar',
      'if there are more vAtoms than limit, the newest are answered',
    ],
  },
  geoDiscoverGroups: {
    method: 'POST',
    path: '/v1/vatom/geodiscovergroups',
    auth: 'user',
    reads: true,
    summary: 'Count dropped vAtoms on the map by place',
    body: GeoDiscoverGroups,
    unknownKeys: 'ignored',
    payload: GeoGroups,
    errors: ['invalid'],
    details: [
      'the place of a group is the centre of those of its vAtoms that are in the box',
      'the largest groups come first, at most limit groups',
    ],
  },
} as const satisfies Rows
