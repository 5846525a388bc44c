import { z } from 'zod'
import { heartbeat } from '../../gateway/limits.ts'
import {
  channelCounts_max,
  followedMembers_max,
  guildCounts_max,
  rangeEnd_max,
  rangeRows_max,
  ranges_max,
} from '../../gateway/protocol/guild-requests.ts'
import { ignoredEvents_max, sessionFlags } from '../../gateway/protocol/identify.ts'
import { memberLimit_max, memberNonce_bytes_max, requestedUsers_max } from '../../gateway/protocol/member-requests.ts'
import type { opcodes } from '../../gateway/protocol/opcodes.ts'
import { snowflakeOutput } from '../../application/wire-objects/scalars.ts'
import { presenceStatusSchema } from '../../application/wire-objects/identity/presence-object.ts'

/** A kind of payload, by its opcode. */
export interface DescribedPayload {
  readonly from: 'client' | 'server' | 'both'
  readonly says: string
  /** `d`; undefined where there is none. */
  readonly d: z.ZodType | undefined
}

const id = snowflakeOutput
const ids = z.array(id)
const nonce = z.string().optional()

const presenceFields = {
  status: z.string().meta({ description: '`online`, `idle`, `dnd`, `invisible` or `offline`.' }),
  afk: z.boolean().optional(),
  mobile: z.boolean().optional(),
  custom_status: presenceStatusSchema.partial().nullable().optional(),
}

const identify = z.object({
  token: z.string().meta({ description: 'A session token or a bot token, by itself.' }),
  properties: z.object({
    os: z.string(),
    browser: z.string(),
    device: z.string().meta({ description: 'What kind of device the client runs on.' }),
    mobile: z.boolean().optional(),
    latitude: z.string().nullable().optional(),
    longitude: z.string().nullable().optional(),
  }),
  presence: z.object(presenceFields).partial().nullable().optional(),
  ignored_events: z.array(z.string()).max(ignoredEvents_max).nullable().optional(),
  flags: z
    .int()
    .min(0)
    .optional()
    .meta({
      description: `${sessionFlags.DEBOUNCE_MESSAGE_REACTIONS}: gets the reactions in private channels together; ${sessionFlags.CHANNEL_THREADS}: understands threads.`,
    }),
  initial_guild_id: id.optional(),
  shard: z.tuple([z.int(), z.int()]).optional().meta({ description: 'Number and count.' }),
})

const memberRequest = z.object({
  guild_id: id.optional(),
  guild_ids: ids.optional(),
  user_ids: ids.max(requestedUsers_max).optional(),
  query: z.string().optional().meta({ description: 'What names begin with.' }),
  limit: z.int().min(0).max(memberLimit_max).optional(),
  presences: z.boolean().optional(),
  nonce: nonce.meta({ description: `At most ${memberNonce_bytes_max} bytes; comes back in each chunk.` }),
})

const subscription = z.object({
  active: z.boolean().optional(),
  sync: z.boolean().optional(),
  typing: z.boolean().optional().meta({ description: 'Whether to hear who is writing, however large the guild is.' }),
  member_list_channels: z
    .record(z.string(), z.array(z.tuple([z.int().min(0), z.int().max(rangeEnd_max)])).max(ranges_max))
    .optional()
    .meta({
      description: `By channel id: the first and the last of at most ${rangeRows_max} rows of its list of members, which the session looks at from now on. None ends it.`,
    }),
  members: ids.max(followedMembers_max).optional().meta({ description: 'Whose presences the session follows.' }),
})

/** Every opcode: one without an entry does not compile. */
export const payloadCatalogue: Readonly<Record<keyof typeof opcodes, DescribedPayload>> = {
  dispatch: { from: 'server', says: 'Something happened: `t` names it, `s` counts.', d: z.unknown() },
  heartbeat: {
    from: 'both',
    says: `The client lives, every ${heartbeat.interval_ms} ms; \`d\` is the last \`s\`. From the server: heartbeat now.`,
    d: z.int().nullable(),
  },
  identify: { from: 'client', says: 'Begins a session.', d: identify },
  presenceUpdate: { from: 'client', says: 'Changes what others see of the session.', d: z.object(presenceFields) },
  voiceStateUpdate: { from: 'client', says: 'Taken and ignored: there is no voice yet.', d: z.unknown() },
  resume: {
    from: 'client',
    says: 'Continues a session after its connection broke.',
    d: z.object({ token: z.string(), session_id: z.string(), seq: z.int() }),
  },
  reconnect: { from: 'server', says: 'Connect again and resume.', d: undefined },
  requestGuildMembers: { from: 'client', says: 'Asks for members: `GUILD_MEMBERS_CHUNK`.', d: memberRequest },
  invalidSession: { from: 'server', says: 'The session cannot be resumed: identify.', d: z.literal(false) },
  hello: {
    from: 'server',
    says: 'The first payload of a connection.',
    d: z.object({ heartbeat_interval: z.int().meta({ description: 'Milliseconds.' }) }),
  },
  heartbeatAck: { from: 'server', says: 'The answer to a heartbeat.', d: undefined },
  voiceSignal: { from: 'client', says: 'Taken and ignored: there is no voice yet.', d: z.unknown() },
  lazyRequest: {
    from: 'client',
    says: 'Chooses what to hear of guilds: `GUILD_SYNC`, `GUILD_MEMBER_LIST_UPDATE`.',
    d: z.object({ subscriptions: z.record(z.string(), subscription).meta({ description: 'By guild id.' }) }),
  },
  requestGuildCounts: {
    from: 'client',
    says: 'Asks how many members are online: `GUILD_COUNTS_UPDATE`.',
    d: z.object({ guild_ids: ids.max(guildCounts_max), nonce }),
  },
  requestChannelMemberCounts: {
    from: 'client',
    says: 'Asks how many members a channel has: `CHANNEL_MEMBER_COUNTS_UPDATE`.',
    d: z.object({ guild_id: id, channel_ids: ids.max(channelCounts_max).optional(), channel_id: id.optional(), nonce }),
  },
  requestForumUnreads: {
    from: 'client',
    says: 'Taken and ignored, with thread access: there are no read states yet.',
    d: z.object({}),
  },
}
