import { wholeRules } from '../../contract/rules/catalog.ts'
import type { Format } from '../../contract/values.ts'
import { loadInOrder } from '../../documents/load/load.ts'
import type { Loaded, LoadedDocument, Problem } from '../../documents/load/loaded.ts'
import type { Context } from '../context.ts'
import { invalidFailure, noteForeign, placeOf, refuseInvalid, rowsOf, sourceOf } from '../kinds/load-checked.ts'
import { problemLines } from '../kinds/problems.ts'
import { resultsJson } from '../kinds/results.ts'
import { localPorts } from '../service/local-ports.ts'
import { assumedPublisher, signedInPublisher } from '../service/publisher.ts'
import { appliedForOthers } from './applied-for.ts'
import { besideOf, checkWhole } from './beside.ts'
import { catalogsOf } from './catalog-names.ts'
import { elsewhereOf } from './elsewhere/elsewhere.ts'
import { catalogsInSubmodules } from './in-submodules.ts'
import type { Report } from './junit-file.ts'
import { leftOutOf } from './left-out.ts'
import { namesakesOf, sameNames } from './namesakes.ts'
import type { PruneOptions } from './options.ts'
import { namedOwners, type Ownership, ownersOf } from './owners.ts'
import { unknownOwners } from './unknown-owner.ts'
import { checkEmptied } from './unread.ts'

/** How invalid documents are reported. */
export interface ReportOptions {
  readonly format: Format
  readonly maxWarnings?: number | undefined
  /** Gets their rows before anything is printed. */
  readonly report?: Report
}

interface LoadOptions extends ReportOptions {
  readonly publisher: string | undefined
  /** If they are for a service on this machine, the ports at which its assets answer; none if that is not known. */
  readonly localPorts: readonly string[] | undefined
  /** What to do if another publisher is meant, where this one is not from the context. */
  readonly otherPublisher?: string
  /** What the command does not do because of invalid documents. */
  readonly consequence: string
  /** Rules of whole catalogs that are checked. */
  readonly ifWhole?: readonly string[]
}

/** The documents of files and folders, in order of creation. If any is invalid, reports the problems and throws Reported. */
export async function loadValid(
  inputs: readonly string[],
  { publisher, localPorts, otherPublisher, format, report, consequence, ifWhole, maxWarnings }: LoadOptions,
  context: Context,
): Promise<Loaded> {
  const loaded = await loadInOrder(inputs, { ...sourceOf(context), publisher, localPorts, ifWhole })
  await noteForeign(loaded, context.output)
  const failure = await invalidFailure(loaded, {
    consequence: `; ${consequence}`,
    maxWarnings,
    context,
    otherPublisher,
  })
  if (failure === undefined) return loaded
  const rows = rowsOf(loaded, 'template')
  await report?.(rows, rows.some(({ status }) => status === 'invalid') ? {} : { failure })
  return refuseInvalid(resultsJson(rows, context.output), { loaded, format, failure }, context.output)
}

/** Valid documents, and the domain name of their publisher. */
export interface CatalogFiles {
  readonly documents: readonly LoadedDocument[]
  /** Their warnings, and those of no document, which count. */
  readonly problems: readonly Problem[]
  /** Those of no document. */
  readonly warnings: readonly Problem[]
  /** Those among them that `--max-warnings` does not count: for which publishers a catalog was applied. */
  readonly uncounted: readonly Problem[]
  readonly publisher: string
  readonly ownership: Ownership
}

/** How documents are compared with a service. */
export interface ForService extends ReportOptions, PruneOptions {
  /** The command of the run, for other inputs. */
  readonly commandFor: (inputs: readonly string[]) => string
}

/** The documents that plan and apply compare with the service. */
export async function loadForService(
  inputs: readonly string[],
  options: ForService,
  context: Context,
): Promise<CatalogFiles> {
  const { name, failure, isConfirmed } = await assumedPublisher(context)
  const { documents, ...found } = await loadValid(
    inputs,
    {
      ...options,
      publisher: name,
      localPorts: await localPorts(context),
      consequence: 'nothing was sent',
      ifWhole: wholeRules,
    },
    context,
  )
  if (name === undefined) throw failure
  context.output.complain(await problemLines(found, context.output))
  const files = documents.map(({ file }) => file)
  const { cwd } = context.host
  const { catalogs, partial, whole, named } = await catalogsOf(inputs, files, cwd)
  if (options.prune || options.pruneUnowned)
    await checkWhole({ inputs, partial, whole, commandFor: options.commandFor }, options, placeOf(context))
  await context.announce()
  if (!isConfirmed) await signedInPublisher(context)
  const beside = besideOf(partial, name, context)
  const owned = namedOwners(await ownersOf(context), named)
  const { owners } = owned
  const run = { named, documents, beside }
  const namesakes = await namesakesOf({ ...run, publisher: name, owners }, context)
  const ofOthers = await appliedForOthers({ files, catalogs, publisher: name }, context)
  const more = [
    ...(options.prune ? unknownOwners({ files, catalogs, owners }, cwd) : []),
    ...(await sameNames({ ...run, namesakes }, cwd)),
  ]
  context.output.complain(await problemLines({ problems: [...ofOthers, ...more], sources: new Map() }, context.output))
  const own = [...whole, ...partial]
  const leftOut = leftOutOf(own, name, options, context)
  const ofDocuments = new Set(documents.flatMap(({ problems }) => problems))
  return {
    documents,
    problems: [...found.problems, ...more],
    warnings: [...found.problems.filter((one) => !ofDocuments.has(one)), ...ofOthers, ...more],
    uncounted: ofOthers,
    publisher: name,
    ownership: {
      catalogs,
      ...owned,
      beside,
      submodules: await catalogsInSubmodules({ named, whole }, placeOf(context)),
      namesakes,
      leftOut: async () => {
        const { places, check } = await leftOut()
        return {
          places,
          check: () => {
            checkEmptied(found, owners, options, cwd)
            check()
          },
        }
      },
      elsewhere: elsewhereOf({ own, publisher: name, owners }, options, context),
      isPartial: partial.length > 0,
    },
  }
}
