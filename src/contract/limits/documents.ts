/** What files of documents and the documents in them may have at most, and what is reported of them. */
export const documentLimits = {
  /** Bytes of a file of documents, or of standard input. */
  file: 2_097_152,
  /** Bytes of a larger file that is looked through for documents, so that it is known whether it is of another tool. */
  searchedFile: 16_777_216,
  /** Folders, and files of YAML and JSON, that `--prune` looks at beside a catalog without a repository, at each of three depths. */
  beside: 10_000,
  /** Bytes of YAML and JSON that it reads of them, the smallest files first. */
  besideBytes: 8_388_608,
  /** Documents in one file. */
  documents: 10_000,
  /** Words, signs, spaces and line breaks that YAML finds in one document: each takes some microseconds. */
  tokens: 500_000,
  /** Patterns of `ignore` in a vatom.yaml. */
  ignorePatterns: 1000,
  /** Characters of all of them together: each may be looked at for every character of the path of a file. */
  ignoreCharacters: 32_768,
  /** Values that the YAML aliases of one document may expand to. */
  aliased: 10_000,
  /** Problems of all checks that one document of a file shows. */
  problems: 200,
  /** Problems shown as text in one run. */
  problemsShown: 200,
  /** Problems that differ in their place alone, and are shown one by one; of more, the first is. */
  problemsAlike: 10,
  /** Documents of each outcome that a command which did a part of its work names as not done: `--json` has all. */
  undoneShown: 20,
  /** Warnings with which a plan is saved, of its documents and others. */
  savedWarnings: 100_000,
  /** Problems that the schema check of one document or request reports. */
  issues: 100,
  /** Problems that are reported together, the first ones, that have a hint for which a name is compared with others. */
  hints: 20,
  /** Bytes of the JSON text of a document's vatom section, or of a whole face or action; a page holds up to 1000 of them. */
  section: 65_536,
  /** Bytes of the JSON text of an eth section. */
  eth: 8192,
  /** Characters of a template, variation or resource name; the specification sets none. */
  name: 256,
  /** Characters of a category; the specification sets none. */
  category: 256,
  /** Characters of an action handler's address. */
  url: 2048,
  /** Actions that the policy of one names before it, and after it. */
  policyActions: 16,
  /** Faces of a template; all come with every page of a search that has a vAtom of the template. */
  faces: 100,
  /** Actions of a template, which come with every such page, too. */
  actions: 100,
  /** Bytes of the JSON texts of a template's faces together, and of its actions. */
  design: 262_144,
  /** Entries of a child_policy, to each of which vAtoms add what is not written. */
  childPolicy: 100,
  /** vAtoms of a draft variation. */
  draftVatoms: 10,
  /** Records that a change or the deletion of a draft template rewrites: its variations, which count as two each, and their vAtoms; each counts once more for each 12 KB of its JSON and, where it changes, for each 25 of its values beyond 100, before and after the change, and two writes to a chain, or two names in a child_policy, as one. */
  draftChange: 24_000,
  /** Faces of a template in a catalog up to which each is compared with the others. */
  facesCompared: 64,
  /** Addresses requested in one run of `validate --probe`. */
  probes: 500,
  /** Milliseconds until an address that does not answer is given up. */
  probeTime: 10_000,
  /** Milliseconds for all addresses of one run. */
  probesTime: 120_000,
  /** Redirects that `--probe` follows from one address. */
  redirects: 5,
  /** Bytes of a resource above which `--probe` warns that phones wait for it. */
  probedSize: 10_485_760,
} as const
