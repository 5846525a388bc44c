import { z } from 'zod'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'
import { queryBoolean } from '../query-inputs.ts'
import { historyEventSchema } from '../../../../application/wire-objects/administration/history-objects.ts'

/** Of any form: what is no id is not found. */
export const explainedId = z
  .string()
  .meta({ description: 'An entry of the admin audit log, an event, or a request by its X-Request-ID.' })

export const explanationQuestion = z.object({ reveal: queryBoolean })

export const explanationReply = z
  .object({
    request: z.object({
      id: z.string(),
      operation: z.string().nullable().describe('Null for an act of the system, and for what older versions recorded.'),
      actor: historyEventSchema.shape.actor,
      at: timestampOutput,
      audit_log_ids: z.array(snowflakeOutput).readonly(),
    }),
    nodes: z
      .array(
        historyEventSchema
          .extend({
            finished_by: z.string().nullable().describe('The part of the system that acted.'),
            read_models: z.array(z.string()).readonly().describe('The read models that take the event.'),
          })
          .meta({ id: 'HistoryExplainedEvent' }),
      )
      .readonly(),
    edges: z
      .array(
        z.object({
          from: z.string().describe('The id of an event, or of a command.'),
          to: z.string(),
        }),
      )
      .readonly(),
    truncated: z.boolean().describe('Whether the chain has more events than these.'),
  })
  .meta({ id: 'HistoryExplanation' })
