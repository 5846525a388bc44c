import { z } from 'zod'
import { autoArchiveDurations, pinnedThread, threadMemberFlags, threadTypes } from '../../../../domain/thread/state.ts'
import { camelCased } from '../../../../domain/text/letter-case.ts'
import { queryBoolean, queryInteger } from '../query-inputs.ts'
import { sentMessage } from './message-inputs.ts'
import {
  accountIdInput,
  channelIdInput,
  issue,
  nameInput,
  orNull,
  snowflakeInput,
  textInput,
  withDefault,
} from '../scalars.ts'
import { timestampInput, timestampOrMsInput } from '../timestamps.ts'

/** The name of a thread. */
export const name = nameInput({ min: 1, max: 100 })
const autoArchiveDuration = z.literal([...autoArchiveDurations])
const rateLimit = z.int().min(0).max(21_600)

const wishes = { name, auto_archive_duration: orNull(autoArchiveDuration), rate_limit_per_user: orNull(rateLimit) }

/** The body of Start thread from message. */
export const threadWishes = z.object(wishes).transform((given) => camelCased(given))

/** The tags of a forum post. */
export const appliedTags = z.array(snowflakeInput).max(5)

/** The body of Start thread without message; in a forum it holds the first message. */
export const freeThreadWishes = z
  .object({
    ...wishes,
    type: orNull(z.literal([threadTypes.announcement, threadTypes.public, threadTypes.private])),
    invitable: orNull(z.boolean()),
    message: orNull(sentMessage),
    applied_tags: withDefault(appliedTags, []),
  })
  .transform((given) => camelCased(given))

/** Modify channel for a thread. Null and absent members stay as they are. */
export const threadChanges = z
  .object({
    name: name.nullish(),
    archived: z.boolean().nullish(),
    locked: z.boolean().nullish(),
    auto_archive_duration: autoArchiveDuration.nullish(),
    rate_limit_per_user: rateLimit.nullish(),
    invitable: z.boolean().nullish(),
    flags: z.literal([0, pinnedThread]).nullish(),
    applied_tags: appliedTags.nullish(),
  })
  .transform((given) => ({
    name: given.name ?? undefined,
    archived: given.archived ?? undefined,
    locked: given.locked ?? undefined,
    autoArchiveDuration: given.auto_archive_duration ?? undefined,
    rateLimitPerUser: given.rate_limit_per_user ?? undefined,
    invitable: given.invitable ?? undefined,
    flags: given.flags ?? undefined,
    appliedTags: given.applied_tags ?? undefined,
  }))

const { ALL_MESSAGES, ONLY_MENTIONS, NO_MESSAGES } = threadMemberFlags
const chosenFlags: readonly number[] = [0, ALL_MESSAGES, ONLY_MENTIONS, NO_MESSAGES]

/** HAS_INTERACTED can't be chosen and is dropped; at most one of the others is allowed. */
const memberFlags = z.int().transform((given, context) => {
  const flags = given & ~threadMemberFlags.HAS_INTERACTED
  return chosenFlags.includes(flags) ? flags : issue(context, 'INVALID_FORMAT')
})

/** The body of Modify own thread settings. Members that are not sent stay as they are. */
export const threadMemberSettings = z
  .object({
    flags: memberFlags.exactOptional(),
    muted: z.boolean().exactOptional(),
    mute_config: z
      .object({ end_time: orNull(timestampOrMsInput), selected_time_window: z.int() })
      .transform((given) => camelCased(given))
      .nullable()
      .exactOptional(),
  })
  .transform((given) => camelCased(given))

const pageLimit = queryInteger({ min: 2, max: 100 }, 50)

/** The query of List archived threads: `before` is an archive time. */
export const archivedPage = z
  .object({ before: timestampInput.optional(), limit: pageLimit })
  .transform(({ before, limit }) => ({ limit, ...(before === undefined ? {} : { before }) }))

/** List own private archived threads: `before` is a thread's id. */
export const ownArchivedPage = z
  .object({ before: channelIdInput.optional(), limit: pageLimit })
  .transform(({ before, limit }) => ({ limit, ...(before === undefined ? {} : { before }) }))

/** Search threads by a part of their names, the newest first. */
export const threadSearch = z
  .object({
    name: textInput({ min: 0, max: 100 }).optional(),
    archived: z.string().optional(),
    sort_order: z.enum(['asc', 'desc']).optional(),
    limit: queryInteger({ min: 1, max: 25 }, 25),
    offset: queryInteger({ min: 0, max: 9975 }, 0),
  })
  .transform(({ name: part, archived, sort_order, limit, offset }) => ({
    name: part === undefined || part === '' ? null : part,
    archived: archived === undefined ? null : queryBoolean.parse(archived),
    oldestFirst: sort_order === 'asc',
    limit,
    offset,
  }))

/** The query of List thread members: those with higher ids than `after`. */
export const threadMembersPage = z
  .object({
    with_member: queryBoolean,
    after: accountIdInput.optional(),
    limit: queryInteger({ min: 1, max: 100 }, 100),
  })
  .transform(({ with_member: withMember, after, limit }) => ({
    withMember,
    limit,
    ...(after === undefined ? {} : { after }),
  }))

export const threadMemberQuery = z
  .object({ with_member: queryBoolean })
  .transform(({ with_member: withMember }) => ({ withMember }))
