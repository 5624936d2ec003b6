/** What files of documents and the documents in them may have at most, and what is reported of them. */
export const documentLimits = {
  /** Bytes of a file of documents, or of standard input. */
  file: 2_097_152,
  /** Documents in one file. */
  documents: 10_000,
  /** Values that YAML aliases stand for in one document. */
  aliased: 10_000,
  /** Problems reported of one document of a file. */
  problems: 200,
  /** Problems shown as text in one run. */
  problemsShown: 200,
  /** Problems reported of one document or request. */
  issues: 100,
  /** Bytes of the JSON text of a document's vatom section, or of a whole face or action; a page holds up to 1000 of them. */
  section: 65_536,
  /** Bytes of the JSON text of an eth section. */
  eth: 8192,
  /** Characters of a template, variation or resource name; the specification sets none. */
  name: 256,
  /** Characters of an action handler's address. */
  url: 2048,
  /** Actions that the policy of one names before it, and after it. */
  policyActions: 16,
  /** Faces of a template, all of which come with every page of a search that has a vAtom of it. */
  faces: 100,
  /** Actions of a template, which come with a search likewise. */
  actions: 100,
  /** vAtoms of a draft variation. */
  draftVatoms: 10,
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
