import { useComputed, useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { feed } from '../service/requests.ts'
import { currentSession, endSession } from '../service/session.ts'
import { focusContent, listenToKeys } from './keys.ts'
import { namePage } from './page-title.ts'
import { Problem, sentenceOf } from './problem.tsx'
import { linkTo, route } from './route.ts'
import { type Screen, screens } from './screens.ts'
import { type Theme, theme, themes } from './theme.ts'

/** The frame of all screens: navigation, theme, and the screen that the address names. */
export function Shell() {
  const help = useRef<HTMLDialogElement>(null)
  useEffect(() => listenToKeys(() => help.current?.showModal()), [])
  const shown = useComputed(() => screens.find(({ name }) => name === route.value.words[0]) ?? screens[0])
  const { publisher } = currentSession()
  const navigation = useRef<HTMLElement>(null)
  useEffect(() => showCurrent(navigation.current), [shown.value])
  useKeptFocus(route.value.words.join('/'))
  return (
    <>
      <button type="button" class="skip" onClick={focusContent}>
        Skip to the content
      </button>
      <header>
        <h1>vatom console</h1>
        <span class="where" title={publisher.email}>
          {publisher.fqdn}
        </span>
        <label>
          <span>Theme</span>
          <select value={theme.value} onChange={({ currentTarget }) => setTheme(currentTarget.value)}>
            {themes.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="keys" onClick={() => help.current?.showModal()}>
          Keys
        </button>
        <button type="button" onClick={() => void endSession()}>
          Sign out
        </button>
      </header>
      <nav aria-label="Screens" ref={navigation}>
        <ul>
          {screens.map(({ name, title }) => (
            <li key={name}>
              <a href={linkTo(name)} aria-current={shown.value?.name === name ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {feed.value === 'lost' && (
        <p class="lost" role="alert">
          The service does not answer: what is shown may be old. To start it again: <code>vatom serve</code>
        </p>
      )}
      <main id="content" tabIndex={-1}>
        {shown.value && <Loaded key={shown.value.name} screen={shown.value} />}
      </main>
      <dialog ref={help} aria-label="Keys">
        <Keys />
      </dialog>
    </>
  )
}

/** A link that leads to a page without it takes the focus along: then it goes to the content of that page. */
function useKeptFocus(place: string): void {
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) requestAnimationFrame(() => document.activeElement === document.body && focusContent())
    isFirst.current = false
  }, [place])
}

function setTheme(value: string): void {
  const found = themes.find((one): one is Theme => one === value)
  if (found) theme.value = found
}

/** A screen, once it is loaded. */
function Loaded({ screen }: { readonly screen: Screen }) {
  const loaded = useSignal<ComponentType | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  useEffect(() => {
    namePage(screen.title)
    screen.load().then(
      (component) => {
        loaded.value = component
      },
      (error) => {
        problem.value = sentenceOf(error)
      },
    )
  }, [screen])
  const Content = loaded.value
  if (problem.value !== undefined)
    return <Problem>This screen cannot be loaded: {problem.value} To try again, reload the page.</Problem>
  return Content ? <Content /> : <p class="waiting">Loading</p>
}

const Keys = () => (
  <form method="dialog">
    <h2>Keys</h2>
    <dl>
      {screens.map(({ name, title, key }) => (
        <div key={name}>
          <dt>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </dt>
          <dd>{title}</dd>
        </div>
      ))}
      <div>
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>filter</dd>
      </div>
      <div>
        <dt>
          <kbd>↑</kbd> <kbd>↓</kbd>
        </dt>
        <dd>in a list: the one before, the next one; among icons all arrows</dd>
      </div>
      <div>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>closes what is chosen in a list</dd>
      </div>
      <div>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>these keys</dd>
      </div>
    </dl>
    <button type="submit">Close</button>
  </form>
)

/**
 * Scrolls to the link of the screen that is shown: on a phone the navigation is a line that scrolls sideways. Not with
 * `scrollIntoView`, from which on the key Tab would begin behind that link.
 */
function showCurrent(navigation: HTMLElement | null): void {
  const link = navigation?.querySelector('[aria-current=page]')?.getBoundingClientRect()
  if (!navigation || !link) return
  const { left, right } = navigation.getBoundingClientRect()
  navigation.scrollLeft += Math.min(link.left - left, 0) + Math.max(link.right - right, 0)
}
