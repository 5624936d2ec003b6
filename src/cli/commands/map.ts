import { Command, Option } from 'commander'
import { limits } from '../../contract/limits.ts'
import { geoFilters } from '../../contract/values.ts'
import type { Context } from '../context.ts'
import { numberFrom } from '../io/option-values.ts'
import { distanceFrom, pointFrom } from '../map/area.ts'
import { type MapOptions, showMap, usualRadius } from '../map/map.ts'

export const command = (context: Context): Command =>
  new Command('map')
    .description('Show what is dropped in an area of the map: what is yours, and what you may see of others.')
    .addOption(new Option('--around <lat,lon>', 'around this point, the nearest first').argParser(pointFrom))
    .addOption(
      new Option(
        '--radius <distance>',
        `how far around it, such as 500m or 2km; a number alone is metres (default: ${usualRadius}m)`,
      ).argParser(distanceFrom),
    )
    .addOption(new Option('--bottom-left <lat,lon>', 'or in a box: its south-west corner').argParser(pointFrom))
    .addOption(new Option('--top-right <lat,lon>', 'and its north-east corner').argParser(pointFrom))
    .option('--groups', 'count the vAtoms of each place instead; around a point, in the box that holds the circle')
    .addOption(
      new Option(
        '--precision <n>',
        `characters of the geohash that a group shares, 1 to ${limits.geoPrecisionMax} (default: ${limits.geoPrecision})`,
      ).argParser(numberFrom(1, limits.geoPrecisionMax)),
    )
    .addOption(new Option('--filter <what>', 'what to look for (default: vatoms)').choices(geoFilters))
    .option('--publisher <domain>', 'only from templates of this publisher; $publisher is your own')
    .addOption(new Option('--limit <n>', 'how many at most').argParser(numberFrom(1, limits.geo)))
    .option('--geojson', 'print a GeoJSON FeatureCollection')
    .addHelpText(
      'after',
      `
Examples:
  vatom map --around 47.37,8.54 --radius 2km
  vatom map --bottom-left 47.3,8.4 --top-right 47.4,8.6 --groups --precision 6
  vatom map --around 47.37,8.54 --geojson > dropped.geojson`,
    )
    .action((options: MapOptions) => showMap(options, context))
