import { z } from 'zod'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'
import { jobStatuses } from '../../../../application/administration/jobs/job-statuses.ts'
import { queryBoolean } from '../query-inputs.ts'
import { historyEventSchema } from '../../../../application/wire-objects/administration/history-objects.ts'

/** Of any form: what is no id is not found. */
export const explainedId = z.string().meta({
  description:
    'An entry of the admin audit log, an event, or a request by its X-Request-ID; or a text that contains one, such as a line of the log.',
})

export const explanationQuestion = z.object({ reveal: queryBoolean })

const chained = { correlation_id: z.string(), causation_id: z.string() }

export const explanationReply = z
  .object({
    requests: z
      .array(
        z
          .object({
            id: z.string(),
            client_request_id: z.string().nullable().describe('The X-Request-ID that its client chose.'),
            operation: z
              .string()
              .nullable()
              .describe('Null for an act of the system, and for what older versions recorded.'),
            actor: historyEventSchema.shape.actor,
            at: timestampOutput,
            answer: z
              .enum(['success', 'refused', 'interrupted'])
              .nullable()
              .describe('Null where the admin audit log has no entry for it: then history does not tell.'),
            status: z
              .int()
              .nullable()
              .describe('The HTTP status of the answer, where its kind and the operation or the code tell it.'),
            code: z.string().nullable().describe('The code of a refusal; null in what older versions recorded.'),
            address: z
              .string()
              .nullable()
              .describe(
                'The address that a request came from that began a session for its own device; of others none is recorded.',
              ),
            left_out: z.array(z.enum(['address'])).readonly(),
            audit_log_ids: z.array(snowflakeOutput).readonly(),
          })
          .meta({ id: 'HistoryExplainedRequest' }),
      )
      .readonly()
      .describe('Several if a client gave them the same id, oldest first.'),
    nodes: z
      .array(
        historyEventSchema
          .extend({
            finished_by: z.string().nullable().describe('The part of the system that acted.'),
            read_models: z.array(z.string()).readonly().describe('The read models that take the event.'),
            dispatches: z
              .array(z.string())
              .readonly()
              .describe('What it leads to at the Gateway, for those who are connected and may see it.'),
          })
          .meta({ id: 'HistoryExplainedEvent' }),
      )
      .readonly(),
    jobs: z
      .array(
        z
          .object({
            id: snowflakeOutput,
            ...chained,
            task_type: z.string(),
            status: z.enum(jobStatuses),
            at: timestampOutput,
          })
          .meta({ id: 'HistoryExplainedJob' }),
      )
      .readonly()
      .describe('The background jobs that the request asked for, for some 90 days.'),
    mails: z
      .array(
        z
          .object({
            id: z.string(),
            ...chained,
            template: z.string().nullable().describe('Null once its account is erased.'),
            account_id: snowflakeOutput,
            state: z.enum(['waiting', 'kept', 'parked', 'sent', 'deleted']),
            at: timestampOutput,
          })
          .meta({ id: 'HistoryExplainedMail' }),
      )
      .readonly()
      .describe('The mails that followed, for seven days after they were sent, without their texts.'),
    edges: z
      .array(
        z.object({
          from: z.string().describe('The id of an event, or of a command.'),
          to: z.string().describe('The id of an event, a job or a mail.'),
        }),
      )
      .readonly(),
    truncated: z.boolean().describe('Whether there is more than this.'),
  })
  .meta({ id: 'HistoryExplanation' })
