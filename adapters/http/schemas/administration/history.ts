import { z } from 'zod'
import { categories, eventCatalogs } from '../../../../domain/aggregates.ts'
import { queryBoolean, queryInteger, repeated } from '../query-inputs.ts'
import { issue, textInput } from '../scalars.ts'
import { refuseBackwardsRange, timestampInput } from '../timestamps.ts'
import { atEnd, beforeFirst, type Moment } from '../../../../application/administration/history/moments.ts'
import { timestampOutput } from '../../../../application/wire-objects/scalars.ts'
import { historyEventSchema } from '../../../../application/wire-objects/administration/history-objects.ts'

const revision_max = 2_147_483_647
const position_max = 9_223_372_036_854_775_807n

/** A revision, which is a whole number, or an instant: otherwise INVALID_ISO_TIMESTAMP. */
export const momentInput = z
  .string()
  .meta({ description: 'The number of an event in its stream, from 0, or an instant as ISO 8601.' })
  .transform((text, context): Moment => {
    if (/^\d{1,10}$/.test(text) && Number(text) <= revision_max) return { by: 'revision', revision: Number(text) }
    const parsed = timestampInput.safeParse(text)
    return parsed.success ? { by: 'time', time: parsed.data } : issue(context, 'INVALID_ISO_TIMESTAMP')
  })

/** A position in the order of all events, as an answer has it: otherwise INVALID_INTEGER_FORMAT. */
export const positionInput = z
  .string()
  .meta({ description: 'The position of an event, as an answer has it.' })
  .transform((text, context): bigint => {
    const position = /^\d{1,19}$/.test(text) ? BigInt(text) : undefined
    return position !== undefined && position <= position_max ? position : issue(context, 'INVALID_INTEGER_FORMAT')
  })

export const streamName = textInput({ min: 1, max: 512 })
export const subjectName = textInput({ min: 1, max: 128 })

/** One moment by `at`, two by `from` and `to`; the end of the stream where nothing is said. */
export const streamQuestion = z
  .object({
    at: momentInput.optional(),
    from: momentInput.optional(),
    to: momentInput.optional(),
    reveal: queryBoolean,
  })
  .transform(({ at, from, to, reveal }, context) => {
    if (from === undefined && to === undefined) return { at: at ?? atEnd, reveal }
    if (at !== undefined) return issue(context, 'INVALID_FORMAT')
    return { from: from ?? beforeFirst, to: to ?? atEnd, reveal }
  })

export const streamEventsPage = z.object({
  after: queryInteger({ min: -1, max: revision_max }, -1),
  limit: queryInteger({ min: 1, max: 100 }, 50),
  reveal: queryBoolean,
})

export const subjectStreamsPage = z.object({
  after: positionInput.optional(),
  limit: queryInteger({ min: 1, max: 100 }, 50),
})

const eventTypes = Object.values(eventCatalogs).flatMap(({ events }) => Object.keys(events))

/** What events may be asked for by, all of which must match. */
const searched = {
  type: repeated(z.enum(eventTypes), 50),
  category: z.enum(categories).optional(),
  actor: textInput({ min: 1, max: 64 }).optional(),
  correlation_id: textInput({ min: 1, max: 128 })
    .meta({ description: 'A request, by its correlation id or by the X-Request-ID that its client chose.' })
    .optional(),
}

type Searched = z.output<z.ZodObject<typeof searched>>

function searchOf({ type, category, actor, correlation_id }: Searched) {
  return { types: type.length === 0 ? undefined : type, category, actor, request: correlation_id }
}

/** Events that match all of it: of one of the types, by the actor, of the request, from `since` on and before `until`. */
export const eventSearch = z
  .object({
    ...searched,
    since: timestampInput.optional(),
    until: timestampInput.optional(),
    before: positionInput.optional(),
    after: positionInput.optional(),
    limit: queryInteger({ min: 1, max: 100 }, 50),
    reveal: queryBoolean,
  })
  .superRefine(refuseBackwardsRange)
  .transform(({ since, until, before, after, limit, reveal, ...asked }, context) => {
    if (before !== undefined && after !== undefined) return issue(context, 'CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER')
    const order = after === undefined ? 'newest' : 'oldest'
    const page = { order, from: after ?? before, limit } as const
    return { search: { ...searchOf(asked), since, until }, page, reveal }
  })

/** Which events to follow, and the position after which they begin. */
export const followQuestion = z
  .object({ ...searched, after: positionInput.optional(), reveal: queryBoolean })
  .transform(({ after, reveal, ...asked }) => ({ search: searchOf(asked), after, reveal }))

export const streamReply = z
  .object({
    stream: z.string(),
    from: historyEventSchema.nullable(),
    to: historyEventSchema,
    state: z.unknown(),
    left_out: z.array(z.string()).readonly(),
    differences: z
      .array(
        z
          .object({
            path: z.string(),
            before: z.unknown(),
            after: z.unknown(),
            left_out: z.boolean().describe('Whether a part of the values is left out, as it is personal.'),
            by: historyEventSchema,
          })
          .meta({ id: 'HistoryDifference' }),
      )
      .readonly()
      .nullable(),
  })
  .meta({ id: 'HistoryStream' })

export const streamEventsReply = z.array(historyEventSchema).readonly()

const indexedEvent = z
  .object({
    event_id: z.string(),
    revision: z.int().describe('The number of the event in its stream, from 0.'),
    position: z.string(),
    type: z.string(),
    at: timestampOutput,
  })
  .meta({ id: 'HistoryEventSummary' })

export const subjectStreamsReply = z
  .array(
    z
      .object({ stream: z.string(), first: indexedEvent, newest: indexedEvent, cursor: z.string() })
      .meta({ id: 'HistorySubjectStream' }),
  )
  .readonly()
