import { leftOutTexts, missingFinder } from '../../documents/load/checkout.ts'
import { projectFinder, type RunPlace } from '../../documents/load/project.ts'
import { ifNeverOwned } from '../../documents/load/remains.ts'
import { folderFrom } from '../../file-system.ts'
import { usage } from '../failure/failure.ts'
import type { FoundCatalogs } from './catalog-names.ts'

/** Throws a usage error for a run that is to delete what is in no file, where git has left out files of its catalogs. */
export async function checkCheckedOut(
  { whole }: Pick<FoundCatalogs, 'whole'>,
  flag: string,
  place: RunPlace,
): Promise<void> {
  const missingIn = missingFinder(projectFinder(place), place.git)
  for (const folder of whole) {
    const [missing] = await missingIn(folder)
    if (missing === undefined) continue
    const { is, remedy } = leftOutTexts[missing.reason]
    throw usage(
      `${folderFrom(place.cwd, missing.path)} ${is}: ${flag} would delete what it describes`,
      `${remedy}; ${ifNeverOwned}`,
    )
  }
}
