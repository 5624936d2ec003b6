import { type PreviewCatalog, type PreviewSubject, previewPaths } from '../../contract/preview.ts'
import { groupBy } from '../../contract/schema/group-by.ts'
import { isSame } from '../../contract/schema/path.ts'
import { element } from '../element.ts'
import { followStream } from '../event-stream.ts'
import { withoutPublisher } from '../names.ts'
import { fetchOwn, useLink } from '../page-session.ts'
import { controlsFor } from './controls.ts'
import { choice, labelled } from './elements.ts'
import { drawGrid, type Grid } from './grid.ts'
import { problemList } from './problems.ts'
import { type Resources, resourcesFor } from './resources.ts'
import { childrenIn, freshState, type State, vatomIn } from './states.ts'

const side = element('nav', { 'aria-label': 'Variations' })
const status = element('p', { class: 'status', role: 'status' })
const problems = element('section', { 'aria-label': 'Problems' })
const stage = element('section', { class: 'stage', 'aria-live': 'off' })
const themes = ['as the system', 'light', 'dark']

let catalog: PreviewCatalog | undefined
let shown: { readonly subject: PreviewSubject; readonly grid: Grid; readonly resources: Resources } | undefined
let state: State = freshState({ vatom: {} })

document.body.append(
  element(
    'header',
    {},
    element('h1', {}, 'vatom preview'),
    status,
    labelled(
      'Theme',
      choice(themes, 0, (index) => {
        document.documentElement.dataset.theme = index === 0 ? '' : themes[index]
      }),
    ),
  ),
  element('div', { class: 'columns' }, side, element('main', {}, problems, stage)),
)

const subjects = (): readonly PreviewSubject[] => catalog?.subjects ?? []
const chosenName = (): string => decodeURIComponent(location.hash.slice(1))
const chosen = (): PreviewSubject | undefined => subjects().find(({ name }) => name === chosenName()) ?? subjects()[0]

/** Children are drawn inside others, so the addresses of all are looked at, its own first. */
const addressIn = (subject: PreviewSubject, url: string): string | undefined =>
  [subject, ...subjects()].map(({ addresses }) => addresses[url]).find(Boolean)

function showSide(): void {
  const current = chosen()
  const byTemplate = groupBy(subjects(), ({ template }) => template)
  side.replaceChildren(
    ...[...byTemplate].map(([template, own]) =>
      element(
        'section',
        {},
        element('h2', {}, withoutPublisher(template)),
        element('ul', {}, ...own.map((subject) => element('li', {}, linkTo(subject, current)))),
      ),
    ),
  )
}

function linkTo(subject: PreviewSubject, current: PreviewSubject | undefined): HTMLElement {
  const name = subject.kind === 'template' ? 'without a variation' : (subject.name.split('::').at(-1) ?? '')
  return element(
    'a',
    { href: `#${encodeURIComponent(subject.name)}`, 'aria-current': subject === current ? 'page' : undefined },
    element('span', {}, subject.title),
    element('small', {}, name),
  )
}

function showSubject(): void {
  const subject = chosen()
  if (shown && subject && isSame(shown.subject, subject)) return
  if (subject && shown?.subject.name !== subject.name) state = freshState(subject)
  shown?.grid.destroy()
  shown?.resources.destroy()
  shown = undefined
  document.title = `${subject?.title ?? 'Nothing to see'} - vatom preview`
  if (!subject) return void stage.replaceChildren(...nothing())
  const addressOf = (url: string) => addressIn(subject, url)
  const grid = drawGrid(subject, vatomIn(state, subject), childrenIn(state, subject, subjects()), addressOf)
  const resources = resourcesFor(subject.vatom, addressOf)
  shown = { subject, grid, resources }
  void grid.ready.then(() => {
    if (shown?.grid === grid) stage.dataset.drawn = subject.name
  })
  stage.replaceChildren(
    element('h2', {}, subject.title),
    element('p', { class: 'name' }, element('code', {}, subject.name), ` in ${subject.file}`),
    ...subject.notes.map((note) => element('p', { class: 'note' }, note)),
    ...controlsFor(subject, state, change),
    grid.element,
    ...(resources.element ? [resources.element] : []),
  )
}

const nothing = () => [
  element('h2', {}, 'Nothing to see yet'),
  element(
    'p',
    {},
    'There is no valid template in these files. Correct the problems above, or begin with a catalog: ',
    element('code', {}, 'vatom init shop'),
  ),
]

function change(changed: (now: State) => Partial<State>): void {
  state = { ...state, ...changed(state) }
  if (shown) shown.grid.update(vatomIn(state, shown.subject), childrenIn(state, shown.subject, subjects()))
}

async function load(): Promise<void> {
  const answer = await fetchOwn(previewPaths.catalog)
  if (!answer.ok) throw new Error((await answer.text()).trim())
  const found: PreviewCatalog = await answer.json()
  catalog = found
  problems.replaceChildren(...problemList(catalog))
  showSide()
  showSubject()
}

/** Loads the catalog at first, and whenever a file has changed. */
function follow(): void {
  followStream(previewPaths.events, {
    receive: (_, version) => void show(version),
    lost: (isRefused) => say(isRefused ? usedLink : ended, 'ended'),
  })
}

const ended = 'The preview has ended. To start it again: vatom preview'
/** Said where this browser has no session, or one of another run. */
const usedLink = 'This link was used already, or the preview has been started again. For a new link: vatom preview'

/** Shows a version of the catalog. */
async function show(version: string): Promise<void> {
  if (version === catalog?.version) return say('Files are watched', 'live')
  try {
    await load()
    say('Files are watched', 'live')
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), 'ended')
  }
  document.documentElement.dataset.ready = catalog?.version ?? ''
}

function say(text: string, kind: 'live' | 'ended'): void {
  status.textContent = text
  status.dataset.kind = kind
}

addEventListener('hashchange', () => {
  showSide()
  showSubject()
})
// Where the browser stores nothing, the page says that it is not signed in.
void useLink(previewPaths.session)
  .catch(() => {})
  .finally(follow)
