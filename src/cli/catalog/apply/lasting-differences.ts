import type { Context } from '../../context.ts'
import { existingTemplates } from '../../kinds/existing-templates.ts'
import { faceOrderWarnings } from '../plan/face-order.ts'
import type { Plan } from '../plan/plan.ts'
import { staysPublishedWarnings } from '../plan/stays-published.ts'
import { printNew, warningsOf } from './service-warnings.ts'

/** A plan whose documents have warnings of what stays different from the files, whoever carries it out; prints them. */
export async function withLastingDifferences(plan: Plan, context: Context): Promise<Plan> {
  const { client } = await context.connect()
  const documents = plan.steps.map(({ document }) => document)
  const existing = { cwd: context.host.cwd, documents, hasTemplate: existingTemplates(client, documents) }
  const warnings = [await staysPublishedWarnings(plan, existing), faceOrderWarnings(plan)]
  const steps = plan.steps.map((step) => {
    const { document } = step
    const found = warnings.flatMap((of) => of.get(step) ?? [])
    return { ...step, document: { ...document, problems: [...document.problems, ...found] } }
  })
  const reviewed = { ...plan, steps }
  await printNew(warningsOf(reviewed), plan, context)
  return reviewed
}
