import { z } from 'zod'
import { isSchema, type Operation } from './operation.ts'
import { memberSchema } from './schemas/member-schema.ts'

/** The spellings that every other parameter of a query string takes for true and for false. */
const trueTexts = ['true', 'True', '1'] as const
const falseTexts = ['false', 'False', '0'] as const

/**
 * The parameter of every operation for administrators that changes something. A value that is neither true nor false is
 * refused: it may not be taken for the act itself.
 */
export const dryRunQuery = z.object({
  dry_run: z
    .enum([...trueTexts, ...falseTexts])
    .default('false')
    .transform((given) => trueTexts.some((text) => text === given))
    .meta({
      type: 'boolean',
      default: false,
      description: 'Whether to answer with what the request would do, and to do nothing.',
    }),
})

/** Whether an operation takes `dry_run` (rules/administration#dry-runs). One that has a parameter of this name keeps its own. */
export function takesDryRun({ callers, method, query }: Pick<Operation, 'callers' | 'method' | 'query'>): boolean {
  return callers.kind === 'admin' && method !== 'GET' && !(isSchema(query) && memberSchema(query, 'dry_run'))
}
