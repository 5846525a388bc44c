import { z } from 'zod'
import { accountId, guildId, type AccountId, type GuildId } from '../../domain/ids/ids.ts'
import { parseSnowflake } from '../../domain/ids/snowflake.ts'
import { statuses } from '../../domain/user-settings/settings.ts'
import type { PresentSession } from '../ports/presence.ts'
import {
  bytesPerFact,
  factsPerSession,
  factsPerSignal_max,
  gateways_max,
  sessionsPerAccount_max,
} from './presence-bounds.ts'
import { sealedSaying_length_max, type SealedSayings } from './sealed-sayings.ts'

/**
 * How present an account is at one Gateway. `counted`: online in at least one guild. `present`: present but counted nowhere,
 * since it is invisible or in no guild.
 */
export type AccountPresence = 'counted' | 'present'

/** Everything that one Gateway reports of an account. */
export interface AccountFact {
  readonly standing: AccountPresence
  /** Its sessions that are not offline. */
  readonly sessions: readonly PresentSession[]
}

const gatewayIdText = z.string().regex(/^[0-9a-f]{16,64}$/)
const sequence = z.int().min(0)

const snowflakeText = z.string().transform((text, context) => {
  const parsed = parseSnowflake(text)
  if (parsed.ok) return parsed.id
  context.addIssue({ code: 'custom', message: parsed.code })
  return z.NEVER
})
const accounts = z.array(snowflakeText.transform(accountId)).max(factsPerSignal_max).readonly()
const counts = z
  .array(z.tuple([snowflakeText.transform(guildId), z.int().min(0)]).readonly())
  .max(factsPerSignal_max)
  .readonly()

const session = z
  .tuple([z.string().regex(/^[0-9a-f]{32}$/), z.enum(statuses), z.boolean(), z.boolean()])
  .transform(([id, status, afk, mobile]): PresentSession => ({ id, status, afk, mobile }))
const sessions = z
  .array(
    z.tuple([snowflakeText.transform(accountId), z.array(session).max(sessionsPerAccount_max).readonly()]).readonly(),
  )
  .max(factsPerSignal_max)
  .readonly()
  // Gateways of an earlier version send no sessions.
  .default([])
/** The sealed custom status of one session of an account. */
const sayings = z
  .array(
    z
      .tuple([
        snowflakeText.transform(accountId),
        z.string().regex(/^[0-9a-f]{32}$/),
        z.base64().max(sealedSaying_length_max),
      ])
      .readonly(),
  )
  .max(factsPerSignal_max)
  .readonly()
  .default([])

/**
 * These are full values from now on, not differences. A count is of the members that this Gateway counts. An account that is
 * `counted` or `present` has exactly the sessions in the same message.
 */
const facts = { counted: accounts, present: accounts, sessions, sayings, counts }

/**
 * The payload of the signal kind `presence`. A Gateway's messages with facts are numbered from 1 without gaps, so that listeners
 * notice lost ones. The `seq` of a heartbeat is the number of the last one.
 */
const presenceMessage = z.discriminatedUnion('type', [
  /** A request for snapshots of these Gateways, or of all. `asker`: the Gateway that asks, which does not mean itself. */
  z.object({
    type: z.literal('ask'),
    asker: gatewayIdText.optional(),
    gateways: z.array(gatewayIdText).max(gateways_max).readonly().optional(),
  }),
  z.object({ type: z.literal('heartbeat'), gateway: gatewayIdText, seq: sequence }),
  z.object({ type: z.literal('change'), gateway: gatewayIdText, seq: sequence, ...facts, gone: accounts }),
  /** A part of a full snapshot. Changes may come between the parts: the later message is the newer one. */
  z.object({
    type: z.literal('snapshot'),
    gateway: gatewayIdText,
    seq: sequence,
    isFirst: z.boolean(),
    isLast: z.boolean(),
    ...facts,
  }),
  z.object({ type: z.literal('goodbye'), gateway: gatewayIdText }),
])

export type PresenceMessage = z.infer<typeof presenceMessage>
export type PresenceChange = Extract<PresenceMessage, { readonly type: 'change' }>
export type PresenceSnapshot = Extract<PresenceMessage, { readonly type: 'snapshot' }>
export type GatewayMessage = Exclude<PresenceMessage, { readonly type: 'ask' }>

/** The facts of accounts, undefined for one that is gone, and the guilds' numbers of members. */
export interface PresenceFacts {
  readonly accounts: readonly (readonly [AccountId, AccountFact | undefined])[]
  readonly counts: readonly (readonly [GuildId, number])[]
}

/** How many of the facts that fit into one signal an account counts as. No account counts as more than fit. */
export function factsOf(fact: AccountFact | undefined): number {
  if (!fact || fact.sessions.length === 0) return 1
  const said = fact.sessions.flatMap(({ customStatus }) => (customStatus === undefined ? [] : [customStatus]))
  const saying_bytes = said.reduce((sum, status) => sum + sealedBytesOf(Buffer.byteLength(JSON.stringify(status))), 0)
  return 2 + factsPerSession * fact.sessions.length + Math.ceil(saying_bytes / bytesPerFact)
}

/** The size of a sealed text in base64, with its envelope. */
function sealedBytesOf(text_bytes: number): number {
  return Math.ceil(((text_bytes + sealing_bytes) * 4) / 3) + entry_bytes
}

const sealing_bytes = 29
const entry_bytes = 70

/** Parses a signal of kind `presence`. Throws a ZodError if this version does not know its form. */
export function readPresenceMessage(payload: unknown): PresenceMessage {
  return presenceMessage.parse(payload)
}

/** Facts in the form of messages. */
export function factsOnTheWire(
  { accounts: all, counts: perGuild }: PresenceFacts,
  { seal }: Pick<SealedSayings, 'seal'>,
) {
  const having = (wanted: AccountPresence | undefined): readonly AccountId[] =>
    all.flatMap(([account, fact]) => (fact?.standing === wanted ? [account] : []))
  return {
    counted: having('counted'),
    present: having('present'),
    gone: having(undefined),
    sessions: all.flatMap(([account, fact]) =>
      fact && fact.sessions.length > 0 ? [sessionsOnTheWire(account, fact)] : [],
    ),
    sayings: all.flatMap(([account, fact]) =>
      (fact?.sessions ?? []).flatMap((each) => {
        const sealed = seal(account, each)
        return sealed === undefined ? [] : [[account, each.id, sealed] as const]
      }),
    ),
    counts: perGuild,
  }
}

function sessionsOnTheWire(account: AccountId, fact: AccountFact) {
  return [account, fact.sessions.map(({ id, status, afk, mobile }) => [id, status, afk, mobile] as const)] as const
}
