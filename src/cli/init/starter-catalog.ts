import { stringify } from 'yaml'
import { definedFolder, discoverContainer, packageContainer, rootTypes } from '../../contract/values.ts'
import { fileNames } from '../catalog/pull/file-names.ts'
import { shellWord } from '../io/text.ts'
import { editorLine } from '../kinds/editor.ts'
import type { Answers } from './questions.ts'

/** Texts by file name. */
interface Catalog {
  readonly documents: Readonly<Record<string, string>>
  readonly readme: string
}

/** A starter catalog: every document is valid, and can be published as it is. */
export function starterCatalog(answers: Answers): Catalog {
  const templates = [answers, ...(answers.rootType === definedFolder ? [itemOf(answers)] : [])]
  const bases = fileNames(templates.map(templateName))
  const documents = templates.flatMap((one) => Object.entries(documentsOf(one, `${bases.get(templateName(one))}`)))
  return { documents: Object.fromEntries(documents), readme: readmeText(answers, [...bases.values()]) }
}

const documentsOf = (answers: Answers, base: string): Catalog['documents'] => ({
  [`${base}.yaml`]: templateText(answers),
  [`${base}.variation.yaml`]: variationText(answers),
  [`${base}.faces.yaml`]: facesText(answers),
  [`${base}.actions.yaml`]: actionsText(answers),
})

/** A vAtom that a folder comes with. */
const itemOf = ({ name, title, category }: Answers): Answers => ({
  name: `${name}Item`,
  title: `${title} item`,
  category,
  rootType: rootTypes[0],
  redeemable: false,
  cloneable: false,
})

/** The name of the template in a document. */
const templateName = ({ name }: Answers): string => `$publisher::${name}::v1`

/** A text as a value of YAML, quoted where it must be. */
const scalar = (text: string) => stringify(text, { lineWidth: 0 }).trimEnd()

const commerce = `
    # What the merchant is paid. Without pricing the terms are agreed outside the service: commerce: {}
    commerce:
      pricing:
        pricingType: Fixed
        value:
          currency: EUR
          price: "1.00"
          valid_from: "*" # no bound
          valid_through: "*"
          vat_included: true
`

const query = (answers: Answers) => `
    # What it shows: vatom explain template.query
    query:
      filters:
        - filter_elems:
            - field: vAtom::vAtomType.category
              filter_op: Eq
              value: ${scalar(answers.category)}
              bool_op: And # without containers of this template, which are of that category, too
            - field: vAtom::vAtomType.template
              filter_op: Ne
              value: ${templateName(answers)}
      limit: 50
`

const childPolicy = (answers: Answers) => `
    # The vAtoms that each folder comes with; their variations exist before a folder is emitted.
    child_policy:
      - template_variation: ${templateName(itemOf(answers))}::First
        count: 1
        creation_policy: # how they are made
          auto_create: create_new
          auto_create_count: 1 # the same number as count: apps read both
`

const templateText = (answers: Answers): string => `${editorLine('template')}
#
# The structure of the vAtoms, with defaults. What a field means: vatom explain template.category
template: ${templateName(answers)} # $publisher stands for your own domain name
unpublished: true # a draft; publishing is final
cloneable: ${answers.cloneable} # whether a Clone action may share copies
vatom:
  vAtom::vAtomType:
    root_type: ${answers.rootType}
    title: ${scalar(answers.title)}
    description: ${scalar(`Describe ${answers.title} here.`)}
    category: ${scalar(answers.category)}
    transferable: true
    redeemable: ${answers.redeemable}
${answers.redeemable ? commerce : ''}${answers.rootType === discoverContainer ? query(answers) : ''}${answers.rootType === definedFolder ? childPolicy(answers) : ''}
    # Faces refer to these by name. Put the https addresses of your own images here: vatom asset upload FILE
    resources:
      - name: ActivatedImage
        resourceType: ResourceType::Image::PNG
        value:
          resourceValueType: ResourceValueType::URI
          value: https://example.com/icon.png
      - name: CardImage
        resourceType: ResourceType::Image::PNG
        value:
          resourceValueType: ResourceValueType::URI
          value: https://example.com/card.png

    visibility:
      type: owner # or public
      value: "*"

  # Properties of your own.
  private:
    edition: first
`

const variationText = (answers: Answers): string => `${editorLine('variation')}
#
# A variation overwrites some of the template's defaults. vAtoms are emitted from a variation.
template_variation: ${templateName(answers)}::First
template: ${templateName(answers)}
unpublished: true # at most 10 vAtoms of a draft can be emitted
vatom:
  vAtom::vAtomType:
    title: ${scalar(`${answers.title} (first edition)`)}
`

const faceText = (answers: Answers, viewMode: string, resource: string): string => `${editorLine('face')}
template: ${templateName(answers)}
display_url: native://image # a face that is built into viewers
package_url: native://image
constraints:
  view_mode: ${viewMode}
  platform: generic # every viewer
  quality: high
  bluetooth_le: false
  contact_list: false
  gps: false
  three_d: false
resources: [${resource}]
`

const facesText = (answers: Answers): string =>
  [faceText(answers, 'icon', 'ActivatedImage'), faceText(answers, 'card', 'CardImage')].join('---\n')

interface Action {
  readonly name: string
  readonly comment: string
  readonly input: string
  readonly impact: string
  /** What stands behind its reactor. */
  readonly note?: string
}

const receiver = 'new.owner.email|new.owner.phone_number|new.owner.id'
const transfer = { name: 'Transfer', comment: 'Its owner gives it away.', input: receiver, impact: 'this.owner' }
const redeem = {
  name: 'Redeem',
  comment: 'Its owner redeems it, or any merchant does.',
  input: '',
  impact: 'this.owner',
}
const clone = { name: 'Clone', comment: 'Its owner shares a copy.', input: receiver, impact: 'this.num_direct_clones' }
const open = {
  name: 'Open',
  comment: 'Its owner opens it and gets what is in it.',
  input: '',
  impact: 'this.parent_id',
  note: ' # vatom-ignore action-reactor: only the local service (vatom serve) is known to carry it out',
}

/** The actions that make sense for the answers. */
function actionsText(answers: Answers): string {
  const { redeemable, cloneable, rootType } = answers
  const actions = [
    transfer,
    ...(redeemable ? [redeem] : []),
    ...(cloneable ? [clone] : []),
    ...(rootType === packageContainer ? [open] : []),
  ]
  return actions.map((action) => actionText(answers, action)).join('---\n')
}

const actionText = (
  answers: Answers,
  { name, comment, input, impact, note = '' }: Action,
): string => `${editorLine('action')}
#
# ${comment}
name: ${templateName(answers)}::Action::${name}
reactor: blockv://v1/${name}${note}
wait: true
state_impact: [${impact}]
params:
  input: [${['this.id', input].filter(Boolean).join(', ')}]
`

/** The files in which drafts say that they are published. */
function draftFiles(bases: readonly string[]): string {
  const files = bases.flatMap((base) => [`${base}.yaml`, `${base}.variation.yaml`])
  return `${files.slice(0, -1).join(', ')} and ${files.at(-1)}`
}

const readmeText = (answers: Answers, bases: readonly string[]): string => `# ${answers.title}

Documents of vAtoms. Editors with YAML support check them as you type, with the schemas in \`.vatom\`.

\`\`\`sh
vatom validate .            # check the files
vatom plan .                # what would change on the service
vatom apply .               # change it
vatom emit ${`${shellWord(answers.name)} `.padEnd(16)} # make a vAtom
vatom inventory
\`\`\`

Publishing is final. Write \`unpublished: false\` into ${draftFiles(bases)}, then:

\`\`\`sh
vatom plan . --out review.plan
vatom apply review.plan
\`\`\`

What is published changes as a new version, a draft again:

\`\`\`sh
vatom template bump ${shellWord(answers.name)} .
\`\`\`
`
