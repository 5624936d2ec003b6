import { discoverContainer, packageContainer } from '../../contract/values.ts'
import { editorLine } from '../kinds/editor.ts'
import type { Answers } from './answers.ts'
import { scalar, templateName } from './parts.ts'
import { actionsText } from './starter-actions.ts'

/** Texts by file name. */
export interface Catalog {
  readonly documents: Readonly<Record<string, string>>
  readonly readme: string
}

/** A starter catalog: every document in it is valid, and can be published as it is. */
export async function catalog(answers: Answers): Promise<Catalog> {
  const base = answers.name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
  return {
    documents: {
      [`${base}.yaml`]: templateText(answers),
      [`${base}.variation.yaml`]: variationText(answers),
      [`${base}.faces.yaml`]: facesText(answers),
      [`${base}.actions.yaml`]: actionsText(answers, answers.rootType === packageContainer),
    },
    readme: readmeText(answers, base),
  }
}

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

const query = (category: string) => `
    # What it shows: vatom explain template.query
    query:
      filters:
        - filter_elems:
            - field: vAtom::vAtomType.category
              filter_op: Eq
              value: ${scalar(category)}
      limit: 50
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
    description: ${scalar(`${answers.title}, described.`)}
    category: ${scalar(answers.category)}
    transferable: true
    redeemable: ${answers.redeemable}
${answers.redeemable ? commerce : ''}${answers.rootType === discoverContainer ? query(answers.category) : ''}
    # What faces refer to by name. Put your own images here, at https addresses: vatom asset upload FILE
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
display_url: native://image # a face that viewers bring along
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
config:
  image: ${resource}
`

const facesText = (answers: Answers): string =>
  [faceText(answers, 'icon', 'ActivatedImage'), faceText(answers, 'card', 'CardImage')].join('---\n')

const readmeText = (answers: Answers, base: string): string => `# ${answers.title}

Documents of vAtoms. Editors that know YAML check them as you type, by the schemas in \`.vatom\`.

\`\`\`sh
vatom validate .            # check the files
vatom plan .                # what would change on the service
vatom apply .               # change it
vatom emit '${templateName(answers)}::First' --num 1
vatom discover --mine
\`\`\`

Publishing is final. Say \`unpublished: false\` in ${base}.yaml and ${base}.variation.yaml, then:

\`\`\`sh
vatom plan . --out review.plan
vatom apply review.plan
\`\`\`
`
