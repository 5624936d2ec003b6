import { editorLine } from '../kinds/editor.ts'
import type { Answers } from './answers.ts'
import { templateName } from './parts.ts'

interface Action {
  readonly name: string
  readonly comment: string
  readonly input: string
  readonly impact: string
}

const receiver = 'new.owner.email|new.owner.phone_number|new.owner.id'
const transfer = { name: 'Transfer', comment: 'Its owner gives it away.', input: receiver, impact: 'this.owner' }
const redeem = { name: 'Redeem', comment: 'A merchant redeems it.', input: '', impact: 'this.owner' }
const clone = { name: 'Clone', comment: 'Its owner shares a copy.', input: receiver, impact: 'this.num_direct_clones' }
const open = { name: 'Open', comment: 'What is in it takes its place.', input: '', impact: 'this.parent_id' }

/** The actions of a starter catalog: those that make sense for what was answered. */
export function actionsText(answers: Answers, isPackage: boolean): string {
  const { redeemable, cloneable } = answers
  const actions = [
    transfer,
    ...(redeemable ? [redeem] : []),
    ...(cloneable ? [clone] : []),
    ...(isPackage ? [open] : []),
  ]
  return actions.map((action) => actionText(answers, action)).join('---\n')
}

const actionText = (answers: Answers, { name, comment, input, impact }: Action): string => `${editorLine('action')}
#
# ${comment}
name: ${templateName(answers)}::Action::${name}
reactor: blockv://v1/${name}
wait: true
state_impact: [${impact}]
params:
  input: [${['this.id', input].filter(Boolean).join(', ')}]
`
