import { Command } from 'commander'
import { type PageName, pages } from '../../docs/pages.ts'
import type { Context } from '../context.ts'
import { environment } from '../manual/environment.ts'
import { exitCodes } from '../manual/exit-codes.ts'
import { formatting } from '../manual/formatting.ts'
import { optionRows } from '../manual/options.ts'
import { renderPage } from '../manual/render.ts'

/** What a page is about as data, for --json; any other page is its text. */
const data: Readonly<Partial<Record<PageName, unknown>>> = {
  environment,
  'exit-codes': exitCodes,
  options: optionRows(),
  formatting,
}

/** A page of the manual: `vatom help PAGE`, or its name by itself. */
export const pageCommand =
  (name: PageName) =>
  (context: Context): Command =>
    new Command(name).action(() => showPage(name, context))

async function showPage(name: PageName, { output }: Context): Promise<void> {
  const { default: text } = await pages[name]()
  await output.listing(data[name] ?? { page: name, text }, () => renderPage(text, output))
}
