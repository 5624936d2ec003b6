import type { PreviewCatalog, PreviewProblem } from '../../contract/preview.ts'
import { plural } from '../../contract/schema/wording.ts'
import { element } from '../element.ts'

/** The problems of the documents, errors first; nothing if there are none. */
export function problemList({ problems, outdated }: PreviewCatalog): HTMLElement[] {
  if (problems.length === 0) return []
  const errors = problems.filter(({ severity }) => severity === 'error')
  const warnings = problems.filter(({ severity }) => severity !== 'error')
  const isOpen = errors.length > 0
  const counts = [counted(errors.length, 'error'), counted(warnings.length, 'warning')].filter(Boolean).join(', ')
  return [
    element(
      'details',
      { class: isOpen ? 'problems errors' : 'problems', open: isOpen },
      element('summary', {}, counts),
      ...outdated.map((file) =>
        element('p', {}, element('code', {}, file), ' has errors: what is drawn is from its last version without any.'),
      ),
      element('ul', {}, ...[...errors, ...warnings].map(problemItem)),
    ),
  ]
}

const counted = (count: number, word: string): string => (count === 0 ? '' : plural(count, word))

const problemItem = ({ place, severity, rule, message, hint, source }: PreviewProblem): HTMLElement =>
  element(
    'li',
    { class: severity },
    element('p', {}, element('strong', {}, `${severity}[${rule}]`), ` ${message}`),
    element('p', { class: 'place' }, element('code', {}, place)),
    ...(source === undefined ? [] : [element('pre', { tabindex: '0' }, source)]),
    ...(hint === undefined ? [] : [element('p', { class: 'hint' }, `Hint: ${hint}`)]),
  )
